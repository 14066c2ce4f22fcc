import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedMutex } from '@survey/runtime/flow/keyed-mutex';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { findInserted } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { ProjectHolder } from '../projects/project-store.ts';
import type { Survey } from './survey.ts';
import type { DueSurvey, DueSurveys } from './survey-closer.ts';
import {
  fromDocument,
  fromPublicDocument,
  type PublicSurveyDocument,
  type SurveyDocument,
  toDocument,
  toPublicProjection,
} from './survey-document.ts';
import { findSurveyPage, surveyListIndexes } from './survey-list-store.ts';
import type { SurveyStore } from './survey-service.ts';
import type { VersionRecorder } from './survey-version-store.ts';

export const surveyIndexes: IndexSpecs[string] = [
  ...surveyListIndexes,
  // It covers the count of active surveys: `deleted_at: null` could not be answered by an index alone.
  { name: 'active_by_tenant', key: { list_state: 1, tenant_id: 1 }, partialFilterExpression: { list_state: 'active' } },
  {
    name: 'due',
    key: { 'settings.closes_at': 1, _id: 1 },
    partialFilterExpression: { status: 'active', deleted_at: null, 'settings.closes_at': { $type: 'date' } },
  },
];

/** What is read of a survey that is due. */
type DueDocument = Pick<SurveyDocument, '_id' | 'tenant_id'> & { readonly settings: { readonly closes_at: Date } };

/** Surveys that wait to come into one project. */
const MAX_WAITING = 1_000;

interface Dependencies {
  readonly collection: Collection<SurveyDocument>;
  readonly versions: VersionRecorder;
  readonly projects: ProjectHolder;
  readonly client: MongoClient;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createSurveyStore({
  collection,
  versions,
  projects,
  client,
  onEvent,
}: Dependencies): SurveyStore & ActiveSurveys & DueSurveys {
  const surveysOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  const projectMutex = createKeyedMutex({ maxWaiting: MAX_WAITING });

  /**
   * Writes a survey. Where it comes into a project, that is written too: of transactions that write one document at the
   * same time all but one start again, so here they take turns, and begin with it.
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
        if (!(await projects.hold(tenantId, projectId, session))) throw unknownProject();
        return writeSurvey(session);
      }),
    );
  }

  return {
    async insert(survey, events) {
      const surveys = surveysOf(survey.tenantId);
      try {
        await write(undefined, survey, async (session) => {
          await surveys.insertOne({ ...toDocument(survey), outbox: events }, { session });
          await versions.record(undefined, survey, session);
        });
      } catch (error) {
        const first = isDuplicateKey(error) ? await findInserted(surveys, survey.id) : null;
        if (first === null) throw error;
        return fromDocument(first);
      }
      onEvent();
      return survey;
    },

    async find(tenantId, id) {
      const document = await surveysOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findSurveyPage(surveysOf(tenantId), query);
      return { items: items.map(fromDocument), ...rest };
    },

    async findExisting(tenantId, ids) {
      const options = { projection: { _id: 1 }, maxTimeMS: 2_000 };
      const found = surveysOf(tenantId).find<{ _id: string }>({ _id: { $in: [...ids] }, deleted_at: null }, options);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async replace(before, after, events) {
      const asItWas = { _id: before.id, revision: before.revision };
      const update = { $set: toDocument(after), $push: { outbox: { $each: [...events] } } };
      const isDone = await write(before, after, async (session) => {
        const { matchedCount } = await surveysOf(before.tenantId).updateOne(asItWas, update, { session });
        if (matchedCount === 0) return false;
        await versions.record(before, after, session);
        return true;
      });
      onEvent();
      return isDone;
    },

    async findPublic(id, knownVersion) {
      const options = { projection: toPublicProjection(knownVersion), maxTimeMS: 2_000 };
      const document = await systemScope(collection).findOne<PublicSurveyDocument>(isThere(id), options);
      return document === null ? undefined : fromPublicDocument(document);
    },

    async findDue(time, limit, after) {
      const isActive = { status: 'active', deleted_at: null } as const;
      const due = { ...isActive, 'settings.closes_at': { $type: 'date' as const, $lte: time } };
      const options = {
        sort: { 'settings.closes_at': 1, _id: 1 },
        limit,
        projection: { tenant_id: 1, 'settings.closes_at': 1 },
        maxTimeMS: 10_000,
      } as const;
      const found = await systemScope(collection)
        .find<DueDocument>(after === undefined ? due : { $and: [due, isDueAfter(after)] }, options)
        .toArray();
      return found.map(({ _id, tenant_id, settings }) => ({
        id: _id,
        tenantId: tenant_id,
        closesAt: settings.closes_at,
      }));
    },

    async countActive() {
      const stages = [{ $match: { list_state: 'active' } }, { $group: { _id: '$tenant_id', count: { $sum: 1 } } }];
      const groups = await systemScope(collection)
        .aggregate<{ _id: TenantId; count: number }>(stages, { hint: 'active_by_tenant', maxTimeMS: 2_000 })
        .toArray();
      return groups.map(({ _id, count }) => ({ tenantId: _id, count }));
    },
  };
}

/** What is left of a purged survey has the id too, and no tenant. */
function isThere(id: string) {
  return { _id: id, tenant_id: { $exists: true } };
}

/** The bound on the time alone lets the index start at the right place. */
function isDueAfter({ id, closesAt }: DueSurvey) {
  const later = [{ 'settings.closes_at': { $gt: closesAt } }, { _id: { $gt: id } }];
  return { 'settings.closes_at': { $gte: closesAt }, $or: later };
}

function unknownProject(): AppError {
  const problem = { path: '/project_id', code: 'UNKNOWN_PROJECT', detail: 'There is no such project' };
  return new AppError('VALIDATION_FAILED', { errors: [problem] });
}

/** Counts for the metrics of the platform's operators. */
export interface ActiveSurveys {
  countActive(): Promise<readonly { readonly tenantId: TenantId; readonly count: number }[]>;
}
