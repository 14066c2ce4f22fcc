import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { findInserted } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPageBy, type Page } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantCollection, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { afterPosition } from '@survey/runtime/mongo/walk';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import pLimit, { type LimitFunction } from 'p-limit';
import type { ProjectStore } from '../projects/project-store.ts';
import { type PublicSurvey, type Survey, type SurveyStatus, surveyStatuses } from './survey.ts';
import type { DueSurvey } from './survey-closer.ts';
import {
  fromDocument,
  fromPublicDocument,
  type PublicSurveyDocument,
  type SurveyDocument,
  toDocument,
  toPublicProjection,
} from './survey-document.ts';
import type { SurveyListQuery, TimeRange } from './survey-list.ts';
import type { SurveyVersionStore } from './survey-version-store.ts';

/**
 * A query names each state that it includes (`$in`). The index has the surveys of each state in list order, and MongoDB
 * merges these ranges. So one index serves queries with and without a state.
 */
export const surveyListIndexes: IndexSpecs[string] = [
  { name: 'list', key: { tenant_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  { name: 'list_by_change', key: { tenant_id: 1, list_state: 1, updated_at: -1, _id: -1 } },
  { name: 'list_of_project', key: { tenant_id: 1, project_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  // This index has no state, because a change of state would rewrite the entries of all prefixes.
  { name: 'list_by_title', key: { tenant_id: 1, title_prefixes: 1, created_at: -1, _id: -1 } },
];

/** Limits of counting surveys to find the rarest word. */
const MAX_COUNTED = { surveys: 2_000, words: 8 };

/** Finds a page, newest first. Sorts by creation time, or by change time if the query filters by change time. */
export async function findSurveyPage(
  surveys: TenantCollection<SurveyDocument>,
  query: SurveyListQuery,
): Promise<Page<SurveyDocument>> {
  const { updatedAt, titleWords } = query;
  const isByChange = updatedAt.since !== undefined || updatedAt.until !== undefined;
  const filter = toFilter({ ...query, titleWords: await sortByRarity(surveys, titleWords) });
  return findPageBy(isByChange ? 'updated_at' : 'created_at', surveys, filter, query);
}

/** MongoDB uses the index only for the first of several words, so put the rarest first. */
async function sortByRarity(
  surveys: TenantCollection<SurveyDocument>,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length < 2) return words;
  const counted = await Promise.all(
    words.slice(0, MAX_COUNTED.words).map(async (word) => {
      const count = await surveys.countDocuments({ title_prefixes: word }, { limit: MAX_COUNTED.surveys });
      return { word, count };
    }),
  );
  const sorted = counted.toSorted((one, other) => one.count - other.count).map(({ word }) => word);
  return [...sorted, ...words.slice(MAX_COUNTED.words)];
}

function toFilter(query: SurveyListQuery): TenantFilter<SurveyDocument> {
  const { status, projectId, titleWords, createdAt, updatedAt, deleted } = query;
  return {
    ...toStateFilter(status, deleted),
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(titleWords.length === 0 ? {} : { title_prefixes: { $all: [...titleWords] } }),
    ...toTimeFilter('created_at', createdAt),
    ...toTimeFilter('updated_at', updatedAt),
  };
}

/** Deleted surveys have the state `deleted`, and keep their status. */
function toStateFilter(status: SurveyStatus | undefined, deleted: boolean) {
  if (deleted) return { list_state: 'deleted', ...(status === undefined ? {} : { status }) } as const;
  return { list_state: { $in: status === undefined ? surveyStatuses : [status] } };
}

function toTimeFilter(name: 'created_at' | 'updated_at', { since, until }: TimeRange) {
  const range = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) };
  return Object.keys(range).length === 0 ? {} : { [name]: range };
}

export const surveyIndexes: IndexSpecs[string] = [
  ...surveyListIndexes,
  // Covers the count of active surveys. An index cannot cover `deleted_at: null`.
  { name: 'active_by_tenant', key: { list_state: 1, tenant_id: 1 }, partialFilterExpression: { list_state: 'active' } },
  {
    name: 'due',
    key: { 'settings.closes_at': 1, _id: 1 },
    partialFilterExpression: { status: 'active', deleted_at: null, 'settings.closes_at': { $type: 'date' } },
  },
];

type DueDocument = Pick<SurveyDocument, '_id' | 'tenant_id'> & { readonly settings: { readonly closes_at: Date } };

/** Maximum number of writes that wait for one project. */
const MAX_WAITING = 1_000;

interface Dependencies {
  readonly collection: Collection<SurveyDocument>;
  readonly versions: Pick<SurveyVersionStore, 'record'>;
  readonly projects: Pick<ProjectStore, 'markUsed'>;
  readonly client: MongoClient;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

export type SurveyStore = ReturnType<typeof createSurveyStore>;

/** Stores surveys with their events and new versions. Writes throw `VALIDATION_FAILED` for an unknown project. */
export function createSurveyStore({ collection, versions, projects, client, onEvent }: Dependencies) {
  const surveysOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  const projectMutex = createKeyedMutex({ maxWaiting: MAX_WAITING });

  /**
   * Writes a survey, and marks its new project, so that a concurrent deletion of the project fails. Transactions that
   * mark the same project run one after another, because they would conflict and retry.
   */
  async function write<T>(
    before: Survey | undefined,
    after: Survey,
    writeSurvey: (session: ClientSession) => Promise<T>,
  ): Promise<T> {
    const { tenantId, projectId } = after;
    if (projectId === undefined || projectId === before?.projectId) return inTransaction(client, writeSurvey);
    return projectMutex(JSON.stringify([tenantId, projectId]), () =>
      inTransaction(client, async (session) => {
        if (!(await projects.markUsed(tenantId, projectId, session))) throw unknownProject();
        return writeSurvey(session);
      }),
    );
  }

  return {
    /** Returns the survey, or the existing one with this id. */
    async insert(survey: Survey, events: readonly OutboxEvent[]): Promise<Survey> {
      const surveys = surveysOf(survey.tenantId);
      try {
        await write(undefined, survey, async (session) => {
          await surveys.insertOne({ ...toDocument(survey), outbox: events }, { session });
          await versions.record(undefined, survey, session);
        });
      } catch (error) {
        const existing = isDuplicateKey(error) ? await findInserted(surveys, survey.id) : null;
        if (existing === null) throw error;
        return fromDocument(existing);
      }
      onEvent();
      return survey;
    },

    /** Finds a survey, including a deleted one. */
    async find(tenantId: TenantId, id: string): Promise<Survey | undefined> {
      const document = await surveysOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId: TenantId, query: SurveyListQuery): Promise<Page<Survey>> {
      const { items, ...rest } = await findSurveyPage(surveysOf(tenantId), query);
      return { items: items.map(fromDocument), ...rest };
    },

    /** Returns the ids of the tenant's surveys that exist and are not deleted. */
    async findExisting(tenantId: TenantId, ids: readonly string[]): Promise<readonly string[]> {
      const options = { projection: { _id: 1 }, maxTimeMS: 2_000 };
      const found = surveysOf(tenantId).find<{ _id: string }>({ _id: { $in: [...ids] }, deleted_at: null }, options);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Returns false when the revision has changed. */
    async replace(before: Survey, after: Survey, events: readonly OutboxEvent[]): Promise<boolean> {
      const atRevision = { _id: before.id, revision: before.revision };
      const update = { $set: toDocument(after), $push: { outbox: { $each: [...events] } } };
      const isDone = await write(before, after, async (session) => {
        const { matchedCount } = await surveysOf(before.tenantId).updateOne(atRevision, update, { session });
        if (matchedCount === 0) return false;
        await versions.record(before, after, session);
        return true;
      });
      onEvent();
      return isDone;
    },

    /** Finds a survey of any tenant, even a deleted one. Omits the definition of the version `knownVersion`. */
    async findPublic(id: string, knownVersion: number | undefined): Promise<PublicSurvey | undefined> {
      const options = { projection: toPublicProjection(knownVersion), maxTimeMS: 2_000 };
      const document = await systemScope(collection).findOne<PublicSurveyDocument>(notTombstone(id), options);
      return document === null ? undefined : fromPublicDocument(document);
    },

    /** Finds active surveys that must be closed, sorted by `closesAt`. Continues after the survey `after`. */
    async findDue(time: Date, limit: number, after?: DueSurvey): Promise<readonly DueSurvey[]> {
      const active = { status: 'active', deleted_at: null } as const;
      const due = { ...active, 'settings.closes_at': { $type: 'date' as const, $lte: time } };
      const options = {
        sort: { 'settings.closes_at': 1, _id: 1 },
        limit,
        projection: { tenant_id: 1, 'settings.closes_at': 1 },
        maxTimeMS: 10_000,
      } as const;
      const found = await systemScope(collection)
        .find<DueDocument>(
          after === undefined
            ? due
            : { $and: [due, afterPosition('settings.closes_at', { time: after.closesAt, id: after.id })] },
          options,
        )
        .toArray();
      return found.map(({ _id, tenant_id, settings }) => ({
        id: _id,
        tenantId: tenant_id,
        closesAt: settings.closes_at,
      }));
    },

    async countActive(): Promise<readonly { readonly tenantId: TenantId; readonly count: number }[]> {
      const stages = [{ $match: { list_state: 'active' } }, { $group: { _id: '$tenant_id', count: { $sum: 1 } } }];
      const groups = await systemScope(collection)
        .aggregate<{ _id: TenantId; count: number }>(stages, { hint: 'active_by_tenant', maxTimeMS: 2_000 })
        .toArray();
      return groups.map(({ _id, count }) => ({ tenantId: _id, count }));
    },
  };
}

/** Excludes the tombstone of a purged survey, which stays until its event is published. It has no tenant. */
function notTombstone(id: string) {
  return { _id: id, tenant_id: { $exists: true } };
}

function unknownProject(): AppError {
  const problem = { path: '/project_id', code: 'UNKNOWN_PROJECT', detail: 'The project does not exist' };
  return new AppError('VALIDATION_FAILED', { errors: [problem] });
}

/** Runs tasks of the same key one at a time, in the order of the calls. */
type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

interface Queue {
  readonly limit: LimitFunction;
  length: number;
}

/** A mutex per key, within this process. Calls reject with `UNAVAILABLE` if `maxWaiting` tasks of the key wait. */
export function createKeyedMutex({ maxWaiting }: { readonly maxWaiting: number }): KeyedMutex {
  const queues = new Map<string, Queue>();

  return async (key, task) => {
    const queue = queues.get(key) ?? { limit: pLimit(1), length: 0 };
    if (queue.length > maxWaiting) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    queues.set(key, queue);
    queue.length += 1;
    try {
      return await queue.limit(task);
    } finally {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    }
  };
}
