import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { inTransaction } from '@survey/runtime/mongo/in-transaction';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantCollection, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { afterPosition } from '@survey/runtime/mongo/walk';
import type { Collection, MongoClient } from 'mongodb';
import type { LinkDocument } from '../links/link-store.ts';
import { chosenSlugs, type SlugStore } from '../links/slug-store.ts';
import type { Survey } from './survey.ts';
import type { SurveyDocument } from './survey-document.ts';
import type { SurveyVersionDocument } from './survey-version-store.ts';

/** Record of a purged survey, whose data other services may delete. */
export interface PurgedSurveyDocument {
  /** Id of the survey. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly purged_at: Date;
  /** Set until its versions and links are deleted. */
  readonly unfinished?: true;
}

export const purgedSurveyIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1 } },
  { name: 'unfinished', key: { _id: 1, unfinished: 1 }, partialFilterExpression: { unfinished: true } },
];

export const deletedSurveyIndex: IndexSpecs[string][number] = {
  name: 'deleted',
  key: { deleted_at: 1, _id: 1 },
  partialFilterExpression: { deleted_at: { $type: 'date' } },
};

export interface DeletedSurvey extends Pick<Survey, 'id' | 'tenantId' | 'version' | 'status' | 'revision'> {
  readonly deletedAt: Date;
}

/** Identifies a survey, even after it was purged. */
export interface SurveyKey {
  readonly id: string;
  readonly tenantId: TenantId;
}

/** Retention of the responses to a survey. `state`: whether the survey still exists (`kept`) or was purged. */
interface Retention {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly state: 'kept' | 'purged';
  /** Days until a response is deleted; undefined means never. */
  readonly retentionDays: number | undefined;
}

interface Dependencies {
  readonly surveys: Collection<SurveyDocument>;
  readonly versions: Collection<SurveyVersionDocument>;
  readonly links: Collection<LinkDocument>;
  readonly purged: Collection<PurgedSurveyDocument>;
  readonly slugs: Pick<SlugStore, 'reserve'>;
  readonly client: MongoClient;
  /** Called after each write that may have stored an event. */
  readonly onEvent: () => void;
}

type DeletedDocument = Pick<SurveyDocument, '_id' | 'tenant_id' | 'version' | 'status' | 'revision'> & {
  readonly deleted_at: Date;
};
type RetentionDocument = Pick<SurveyDocument, '_id' | 'tenant_id'> & {
  readonly settings: Pick<SurveyDocument['settings'], 'retention_days'>;
};

/** Small, because versions are large. */
const BATCH_SIZE = 100;
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export type SurveyPurgeStore = ReturnType<typeof createSurveyPurgeStore>;

export function createSurveyPurgeStore(dependencies: Dependencies) {
  const { surveys, versions, links, purged, slugs, client, onEvent } = dependencies;

  return {
    /** Finds surveys that were deleted before a time, the oldest deletion first. Continues after the survey `after`. */
    async findDeleted(before: Date, limit: number, after?: DeletedSurvey): Promise<readonly DeletedSurvey[]> {
      const due = { deleted_at: { $type: 'date' as const, $lt: before } };
      const projection = { tenant_id: 1, version: 1, status: 1, revision: 1, deleted_at: 1 };
      const found = await systemScope(surveys)
        .find<DeletedDocument>(
          after === undefined
            ? due
            : { $and: [due, afterPosition('deleted_at', { time: after.deletedAt, id: after.id })] },
          {
            sort: { deleted_at: 1, _id: 1 },
            limit,
            projection,
            hint: deletedSurveyIndex.name,
            ...MAX_TIME,
          },
        )
        .toArray();
      return found.map(fromDeletedDocument);
    },

    /**
     * Replaces a survey by a tombstone with its event, and stores a purge record for other services. Returns false if
     * the survey has changed.
     */
    async purge(
      { id, tenantId, revision, deletedAt }: DeletedSurvey,
      time: Date,
      event: OutboxEvent,
    ): Promise<boolean> {
      const atRevision = { _id: id, revision, deleted_at: deletedAt };
      const mark = { $set: { purged_at: time, unfinished: true as const } };
      const isDone = await inTransaction(client, async (session) => {
        if (!(await replaceWithTombstone(surveys, tenantId, atRevision, [event], session))) return false;
        await tenantCollection(purged, tenantId).updateOne({ _id: id }, mark, { upsert: true, session });
        return true;
      });
      onEvent();
      return isDone;
    },

    /** Finds purged surveys that may still have versions or links, sorted by id. */
    async findPurgedWithData(limit: number, after?: SurveyKey): Promise<readonly SurveyKey[]> {
      const filter = { unfinished: true as const, ...(after && { _id: { $gt: after.id } }) };
      const options = { sort: { _id: 1 }, limit, hint: 'unfinished', ...MAX_TIME } as const;
      const found = await systemScope(purged).find(filter, options).toArray();
      return found.map(({ _id: id, tenant_id: tenantId }) => ({ id, tenantId }));
    },

    /** Deletes a batch of versions or links of a purged survey. Returns false when nothing is left to delete. */
    async clearSome({ id, tenantId }: SurveyKey): Promise<boolean> {
      const ofSurvey = { survey_id: id };
      if (await deleteSome(tenantCollection(versions, tenantId), ofSurvey)) return true;
      const tenantLinks = tenantCollection(links, tenantId);
      // Links with unpublished events stay until the relay has published the events to Kafka.
      const published = { ...ofSurvey, 'outbox.0': { $exists: false } };
      const options = { limit: BATCH_SIZE, projection: { slug: 1, slug_chosen: 1 } };
      const freed = await tenantLinks
        .find<Pick<LinkDocument, '_id' | 'slug' | 'slug_chosen'>>(published, options)
        .toArray();
      await slugs.reserve(tenantId, chosenSlugs(freed));
      if (await deleteBatch(tenantLinks, published, freed)) return true;
      const waiting = await tenantLinks.findOne(ofSurvey, { projection: { _id: 1 } });
      if (waiting === null)
        await tenantCollection(purged, tenantId).updateOne({ _id: id }, { $unset: { unfinished: true } });
      return false;
    },

    /** Omits unknown surveys. */
    async findRetentions(surveyIds: readonly string[]): Promise<readonly Retention[]> {
      const filter = { _id: { $in: [...surveyIds] }, tenant_id: { $exists: true } };
      const projection = { tenant_id: 1, 'settings.retention_days': 1 };
      const existing = await systemScope(surveys)
        .find<RetentionDocument>(filter, { projection, ...MAX_TIME })
        .toArray();
      const known = new Set(existing.map(({ _id }) => _id));
      const purgedDocuments = await systemScope(purged).find(filter, MAX_TIME).toArray();
      return [
        ...existing.map(fromRetentionDocument),
        // An existing survey wins over a purge record with the same id.
        ...purgedDocuments.filter(({ _id }) => !known.has(_id)).map(fromPurgedDocument),
      ];
    },
  };
}

/** Deletes a batch. Returns false if there was nothing to delete. */
async function deleteSome<D extends { readonly _id: string; readonly tenant_id: TenantId }>(
  documents: TenantCollection<D>,
  filter: TenantFilter<D>,
): Promise<boolean> {
  const options = { projection: { _id: 1 }, limit: BATCH_SIZE };
  const found = await documents.find<{ _id: string }>(filter, options).toArray();
  return deleteBatch(documents, filter, found);
}

async function deleteBatch<D extends { readonly _id: string; readonly tenant_id: TenantId }>(
  documents: TenantCollection<D>,
  filter: TenantFilter<D>,
  found: readonly { readonly _id: string }[],
): Promise<boolean> {
  if (found.length === 0) return false;
  // Repeat the filter, because documents may have changed. The cast is needed, because the driver's types do not
  // support type parameters here.
  const batch = { ...filter, _id: { $in: found.map(({ _id }) => _id) } } as TenantFilter<D>;
  await documents.deleteMany(batch);
  return true;
}

function fromDeletedDocument(document: DeletedDocument): DeletedSurvey {
  const { _id: id, tenant_id: tenantId, version, status, revision, deleted_at: deletedAt } = document;
  return { id, tenantId, version, status, revision, deletedAt };
}

function fromRetentionDocument({ _id: surveyId, tenant_id: tenantId, settings }: RetentionDocument): Retention {
  return { surveyId, tenantId, state: 'kept', retentionDays: settings.retention_days ?? undefined };
}

function fromPurgedDocument({ _id: surveyId, tenant_id: tenantId }: PurgedSurveyDocument): Retention {
  return { surveyId, tenantId, state: 'purged', retentionDays: undefined };
}
