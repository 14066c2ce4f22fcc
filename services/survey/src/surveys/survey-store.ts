import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import type { ProjectHolder } from '../projects/project-store.ts';
import type { Survey } from './survey.ts';
import type { DueSurveys } from './survey-closer.ts';
import { fromDocument, type SurveyDocument, toDocument } from './survey-document.ts';
import { findSurveyPage, surveyListIndexes } from './survey-list-store.ts';
import type { SurveyStore } from './survey-service.ts';
import type { VersionRecorder } from './survey-version-store.ts';

export const surveyIndexes: IndexSpecs[string] = [
  ...surveyListIndexes,
  { name: 'active', key: { tenant_id: 1 }, partialFilterExpression: { status: 'active', deleted_at: null } },
  {
    name: 'to_be_closed',
    key: { 'settings.closes_at': 1 },
    partialFilterExpression: { status: 'active', deleted_at: null, 'settings.closes_at': { $type: 'date' } },
  },
];

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

  async function inTransaction<T>(write: (session: ClientSession) => Promise<T>): Promise<T> {
    const outcome = await client.withSession((session) => session.withTransaction(write));
    onEvent();
    return outcome;
  }

  /** What goes with the write of a survey. */
  async function follow(before: Survey | undefined, after: Survey, session: ClientSession): Promise<void> {
    const { tenantId, projectId } = after;
    const isMoved = projectId !== undefined && projectId !== before?.projectId;
    if (isMoved && !(await projects.hold(tenantId, projectId, session))) throw unknownProject();
    await versions.record(before, after, session);
  }

  return {
    async insert(survey, events) {
      const document = { ...toDocument(survey), outbox: events };
      try {
        return await inTransaction(async (session) => {
          await surveysOf(survey.tenantId).insertOne(document, { session });
          await follow(undefined, survey, session);
          return true;
        });
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async find(tenantId, id) {
      const document = await surveysOf(tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findSurveyPage(surveysOf(tenantId), query);
      return { items: items.map(fromDocument), ...rest };
    },

    async replace(before, after, events) {
      const asItWas = { _id: before.id, revision: before.revision };
      const update = { $set: toDocument(after), $push: { outbox: { $each: [...events] } } };
      return inTransaction(async (session) => {
        const { matchedCount } = await surveysOf(before.tenantId).updateOne(asItWas, update, { session });
        if (matchedCount === 0) return false;
        await follow(before, after, session);
        return true;
      });
    },

    async findAnywhere(id) {
      const document = await systemScope(collection).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async findDue(time, limit) {
      const isActive = { status: 'active', deleted_at: null } as const;
      const due = { ...isActive, 'settings.closes_at': { $type: 'date' as const, $lte: time } };
      const options = {
        sort: { 'settings.closes_at': 1 },
        limit,
        projection: { tenant_id: 1 },
        maxTimeMS: 10_000,
      } as const;
      const found = await systemScope(collection)
        .find<Pick<SurveyDocument, '_id' | 'tenant_id'>>(due, options)
        .toArray();
      return found.map(({ _id, tenant_id }) => ({ id: _id, tenantId: tenant_id }));
    },

    async countActive() {
      const stages = [
        { $match: { status: 'active', deleted_at: null } },
        { $group: { _id: '$tenant_id', count: { $sum: 1 } } },
      ];
      const groups = await systemScope(collection)
        .aggregate<{ _id: TenantId; count: number }>(stages, { maxTimeMS: 2_000 })
        .toArray();
      return groups.map(({ _id, count }) => ({ tenantId: _id, count }));
    },
  };
}

function unknownProject(): AppError {
  const problem = { path: '/project_id', code: 'UNKNOWN_PROJECT', detail: 'There is no such project' };
  return new AppError('VALIDATION_FAILED', { errors: [problem] });
}

/** Counts for the metrics of the platform's operators. */
export interface ActiveSurveys {
  countActive(): Promise<readonly { readonly tenantId: TenantId; readonly count: number }[]>;
}
