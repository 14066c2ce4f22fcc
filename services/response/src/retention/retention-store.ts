import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { type TenantDocument, type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { StoredResponseFields } from '../responses/response.ts';
import {
  type Deletion,
  fromDocument,
  NEWEST_FIRST_HINT,
  type ResponseDocument,
} from '../responses/response-document-store.ts';
import type { SliceDocument } from '../responses/slice-store.ts';
import type { WriteWindowDocument } from '../responses/write-window-store.ts';
import type { LedgerDocument } from '../seats/ledger-store.ts';
import { BY_SURVEY, type DefinitionDocument } from '../surveys/definition-store.ts';
import type { InvitationDocument } from '../surveys/invitation-store.ts';
import { INACTIVE, type LinkDocument, WITH_METADATA } from '../surveys/link-store.ts';
import type { WalkState } from './survey-walk.ts';

/** Position of the walk through all surveys. There is one document, with the id `responses`. */
export interface SurveyWalkDocument {
  readonly _id: string;
  readonly position: string;
  readonly has_more: boolean;
  readonly next_at: Date;
  readonly completed_at: Date | null;
  readonly revision?: number;
}

interface Dependencies {
  readonly walks: Collection<SurveyWalkDocument>;
  readonly definitions: Collection<DefinitionDocument>;
}

const WALK = { _id: 'responses' };
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export type SurveyWalkStore = ReturnType<typeof createSurveyWalkStore>;

export function createSurveyWalkStore({ walks, definitions }: Dependencies) {
  return {
    async find(): Promise<WalkState | undefined> {
      const document = await walks.findOne(WALK, MAX_TIME);
      return document === null ? undefined : fromWalk(document);
    },

    /** Saves and returns the new state. Returns undefined if another replica has saved a state concurrently. */
    async save(state: WalkState): Promise<WalkState | undefined> {
      const next = { ...state, revision: state.revision + 1 };
      const before = { ...WALK, revision: state.revision === 0 ? { $exists: false } : state.revision };
      try {
        await walks.replaceOne(before, toWalk(next), { upsert: true });
        return next;
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },

    /** Returns survey ids after the given id, in order. An empty result means the end. */
    async findSurveys(after: string, limit: number): Promise<readonly string[]> {
      // The limit counts documents, and a survey has one document per version.
      const found = await systemScope(definitions)
        .find<Pick<DefinitionDocument, 'survey_id'>>(
          { survey_id: { $gt: after } },
          {
            sort: { survey_id: 1, version: -1 },
            limit,
            projection: { _id: 0, survey_id: 1 },
            hint: BY_SURVEY,
            ...MAX_TIME,
          },
        )
        .toArray();
      return [...new Set(found.map(({ survey_id }) => survey_id))];
    },
  };
}

function toWalk({ position, hasDueWork, nextAt, completedAt, revision }: WalkState): Omit<SurveyWalkDocument, '_id'> {
  return { position, has_more: hasDueWork, next_at: nextAt, completed_at: completedAt ?? null, revision };
}

function fromWalk({ position, has_more, next_at, completed_at, revision = 0 }: SurveyWalkDocument): WalkState {
  return { position, hasDueWork: has_more, nextAt: next_at, completedAt: completed_at ?? undefined, revision };
}

interface SurveyDataStoreDependencies {
  readonly definitions: Collection<DefinitionDocument>;
  readonly links: Collection<LinkDocument>;
  readonly invitations: Collection<InvitationDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly ledgers: Collection<LedgerDocument>;
  readonly windows: Collection<WriteWindowDocument>;
  readonly slices: Collection<SliceDocument>;
  /** Collections of plans to delete responses. */
  readonly plans: readonly Collection<PlanDocument>[];
}

export interface PlanDocument extends TenantDocument {
  readonly survey_id: string;
}

/** Number of links that the survey service is asked for at a time. */
const ASKED_LINKS = 100;
/** Number of documents to delete at a time. The walk checks between batches that it may continue. */
const DELETED_BATCH = 100;

export type SurveyDataStore = ReturnType<typeof createSurveyDataStore>;

/** Deletes the data of a survey, except its responses and files. */
export function createSurveyDataStore(dependencies: SurveyDataStoreDependencies) {
  const { definitions, links, invitations, responses, ledgers, windows, slices: counts, plans } = dependencies;
  // Tombstones are in the same collection as responses.
  const deletions = responses as unknown as Collection<Deletion>;

  return {
    /** Deletes the ledgers: the counters of used seats of the survey and its links. */
    async deleteLedgers(tenantId: TenantId, surveyId: string): Promise<void> {
      await tenantCollection(ledgers, tenantId).deleteMany({ survey_id: surveyId });
    },

    /** Deletes slices: stored counts of time ranges. */
    async deleteSlices(tenantId: TenantId, surveyId: string): Promise<void> {
      await tenantCollection(counts, tenantId).deleteMany({ survey_id: surveyId });
    },

    /** Deletes plans to delete responses. */
    async deletePlans(tenantId: TenantId, surveyId: string): Promise<void> {
      for (const collection of plans) await tenantCollection(collection, tenantId).deleteMany({ survey_id: surveyId });
    },

    /** Deletes a batch of tombstones without unpublished events. Returns whether it found some. */
    deleteTombstones: (tenantId: TenantId, surveyId: string): Promise<boolean> =>
      deleteBatch(deletions, tenantId, { deleted_from: surveyId, 'outbox.at': { $exists: false } }),

    /** Whether the survey has tombstones, with unpublished events or without. */
    async hasTombstones(tenantId: TenantId, surveyId: string): Promise<boolean> {
      const options = { projection: { _id: 1 } } as const;
      return (await tenantCollection(deletions, tenantId).findOne({ deleted_from: surveyId }, options)) !== null;
    },

    /** Deletes a batch of link snapshots. Returns whether it found some. */
    deleteLinks: (tenantId: TenantId, surveyId: string): Promise<boolean> =>
      deleteBatch(links, tenantId, { survey_id: surveyId }),

    /** Deletes a batch of invitations, of one link or all. Returns whether it found some. */
    deleteInvitations: (tenantId: TenantId, surveyId: string, linkId?: string): Promise<boolean> =>
      deleteBatch(invitations, tenantId, { survey_id: surveyId, ...(linkId !== undefined && { link_id: linkId }) }),

    /** Removes the secrets and metadata of all snapshots of a deleted link. */
    async clearLink(tenantId: TenantId, linkId: string): Promise<void> {
      await tenantCollection(links, tenantId).updateMany({ link_id: linkId }, { $set: INACTIVE });
    },

    /** Returns links with metadata or invitations, by id, after the given one. Reads two index keys for each link. */
    async findGivingLinks(tenantId: TenantId, surveyId: string, after: string): Promise<readonly string[]> {
      const options = { sort: { link_id: 1 }, projection: { _id: 0, link_id: 1 } } as const;
      type Found = Pick<LinkDocument, 'link_id'>;
      const next = async (linkId: string): Promise<string | undefined> => {
        const later = { survey_id: surveyId, link_id: { $gt: linkId } };
        const found = await Promise.all([
          tenantCollection(links, tenantId).findOne<Found>({ ...later, ...WITH_METADATA }, options),
          tenantCollection(invitations, tenantId).findOne<Found>(later, options),
        ]);
        return found.flatMap((one) => one?.link_id ?? []).sort()[0];
      };
      const found: string[] = [];
      for (let id = await next(after); id !== undefined; id = await next(id)) if (found.push(id) === ASKED_LINKS) break;
      return found;
    },

    /** Deletes a batch of definition snapshots. A walk finds a survey only by them. Returns whether it found some. */
    async deleteDefinitions(tenantId: TenantId, surveyId: string): Promise<boolean> {
      // Delete the write window before the definitions, while a walk can still find the survey.
      await tenantCollection(windows, tenantId).deleteOne({ _id: surveyId });
      return deleteBatch(definitions, tenantId, { survey_id: surveyId });
    },
  };
}

async function deleteBatch<D extends TenantDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
  filter: TenantFilter<D>,
): Promise<boolean> {
  const documents = tenantCollection(collection, tenantId);
  const found = await documents
    .find<{ _id: string }>(filter, { projection: { _id: 1 }, limit: DELETED_BATCH })
    .toArray();
  if (found.length === 0) return false;
  const batch = { _id: { $in: found.map(({ _id }) => _id) } };
  // The `_id` of every document is a string.
  await documents.deleteMany(batch as TenantFilter<D>);
  return true;
}

const BATCH = 500;
/** Soft limit of documents with unpublished events. The relay publishes some thousands of events per second. */
const MAX_WAITING = 2_000;

export type DueResponseStore = ReturnType<typeof createDueResponseStore>;

const WITHOUT_CONTENT = { data: 0, metadata: 0, outbox: 0, ledger_entries: 0 } as const;

/** Finds responses to delete, because their retention has ended, their survey is purged, or a plan contains them. */
export function createDueResponseStore(collection: Collection<ResponseDocument>) {
  return {
    async findByIds(
      tenantId: TenantId,
      surveyId: string,
      ids: readonly string[],
    ): Promise<readonly StoredResponseFields[]> {
      const filter = { _id: { $in: [...ids] }, survey_id: surveyId };
      const options = { hint: '_id_', projection: WITHOUT_CONTENT } as const;
      return (await tenantCollection(collection, tenantId).find(filter, options).toArray()).map(toStoredFields);
    },

    /** Finds a batch of responses, oldest first. If `before` is set, only responses created before this time. */
    async findBatch(
      tenantId: TenantId,
      surveyId: string,
      before: Date | undefined,
    ): Promise<readonly StoredResponseFields[]> {
      const filter = { survey_id: surveyId, ...(before && { created_at: { $lt: before } }) };
      const found = tenantCollection(collection, tenantId).find(filter, {
        ...NEWEST_FIRST_HINT,
        // MongoDB reads the index backwards.
        sort: { created_at: 1, _id: 1 },
        limit: BATCH,
        projection: WITHOUT_CONTENT,
      });
      return (await found.toArray()).map(toStoredFields);
    },

    /** Whether few events are unpublished, so that another batch can be deleted without a pause. */
    async hasCapacity(): Promise<boolean> {
      const options = { hint: outboxIndex.name, limit: MAX_WAITING, maxTimeMS: 5_000 };
      return (await systemScope(collection).countDocuments({ 'outbox.at': { $exists: true } }, options)) < MAX_WAITING;
    },
  };
}

function toStoredFields(document: ResponseDocument): StoredResponseFields {
  // The projection excludes `data` and `metadata`.
  const { data: _, metadata: __, ...fields } = fromDocument(document);
  return fields;
}
