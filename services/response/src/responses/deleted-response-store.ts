import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import { type OutboxEvent, tombstoneUpdate } from '@survey/runtime/kafka/outbox-event';
import type { Lease } from '@survey/runtime/mongo/lease';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection, Document } from 'mongodb';
import type { Logger } from 'pino';
import type { Response, StoredResponseFields } from './response.ts';
import {
  type Deletion,
  deletionUpdate,
  IS_TOMBSTONE,
  NEWEST_FIRST_INDEX,
  type ResponseDocument,
  SET_CHANGED,
  TEMPORARY_INDEX,
  type Tombstone,
} from './response-document-store.ts';
import type { SliceStore } from './slice-store.ts';
import type { SurveyRef, WriteWindows } from './write-window-store.ts';

type Events = readonly [OutboxEvent, ...OutboxEvent[]];

interface Removal {
  readonly response: StoredResponseFields;
  readonly events: Events;
}

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly slices: Pick<SliceStore, 'removeBetween'>;
  /** Called after each write that stored events. */
  readonly onEvent: () => void;
}

/**
 * Tombstones that `deleteTombstones` may delete: temporary tombstones and those without a tenant. A tombstone has no
 * tenant if its response was never stored (`void`, `blocked`), or if an earlier release created it.
 */
const DELETABLE = [
  { filter: { temporary: true as const }, hint: TEMPORARY_INDEX },
  { filter: { tenant_id: null, ...IS_TOMBSTONE }, hint: NEWEST_FIRST_INDEX },
];
const BATCH = 1_000;

export type DeletedResponseStore = ReturnType<typeof createDeletedResponseStore>;

/**
 * Deletes responses. A deletion replaces the response with a tombstone (see `Tombstone`). While a tombstone exists,
 * repeated requests, late writes and resumed imports cannot store the response again. The change feed reports
 * tombstones as deletions.
 *
 * `deleteTombstones` deletes temporary tombstones after some days. The tombstone of a response through a link is
 * permanent, because it marks a single-use token as used. Only a purge of the survey deletes it.
 */
export function createDeletedResponseStore({ collection, windows, slices, onEvent }: Dependencies) {
  const responses = systemScope(collection);
  // Tombstones are in the same collection as responses.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  /** Deletes the slices (stored counts) of deleted responses. If this fails, summaries still detect the change. */
  async function removeSlices(survey: SurveyRef, removals: readonly Removal[]): Promise<void> {
    const times = removals.map(({ response }) => response.createdAt.getTime()).sort((one, other) => one - other);
    const [first, last] = [times[0], times.at(-1)];
    if (first !== undefined && last !== undefined) await slices.removeBetween(survey, new Date(first), new Date(last));
  }

  async function write(survey: SurveyRef, removals: readonly Removal[], updateOf: (events: Events) => Document[]) {
    const writes = removals.map(({ response: { tenantId, id, revision }, events }) => ({
      updateOne: { filter: { _id: id, tenant_id: tenantId, revision }, update: updateOf(events) },
    }));
    const { matchedCount } = await windows.runInWindow([survey], () => responses.bulkWrite(writes, { ordered: false }));
    onEvent();
    await removeSlices(survey, removals);
    return matchedCount;
  }

  return {
    /**
     * Deletes a response. Returns false if its revision has changed.
     *
     * @param entry id of the ledger entry, if the deletion frees a seat of a response limit
     */
    async remove(response: StoredResponseFields, events: Events, entry?: string): Promise<boolean> {
      const removed = await write(response, [{ response, events }], (stored) => deletionUpdate(stored, entry));
      return removed === 1;
    },

    /**
     * Deletes responses to a survey in one write, except responses whose revision has changed. Returns the number of
     * deletions.
     *
     * @param entry as for `remove`
     * @param plan id of the plan that deletes them, for `findRemoved`
     */
    removeUnchanged: (
      survey: SurveyRef,
      removals: readonly Removal[],
      entry?: string,
      plan?: string,
    ): Promise<number> => write(survey, removals, (events) => deletionUpdate(events, entry, plan)),

    /** Returns which of the responses a plan has deleted. */
    async findRemoved(tenantId: TenantId, ids: readonly string[], plan: string): Promise<readonly string[]> {
      const found = tenantCollection(collection as unknown as Collection<Deletion>, tenantId).find<{ _id: string }>(
        { _id: { $in: [...ids] }, deletion_plan: plan },
        { projection: { _id: 1 }, hint: '_id_' },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Stores an event that is not about one response. If it is still unpublished, a repeated call changes nothing. */
    async storeEvent(event: OutboxEvent): Promise<void> {
      const carrier = { tombstone: true as const, outbox: [event] };
      await tombstones.updateOne({ _id: event.id }, { $setOnInsert: carrier }, { upsert: true });
      onEvent();
    },

    /** Like `removeUnchanged`, for purged surveys. The relay deletes the tombstones with their events. */
    purgeUnchanged: (survey: SurveyRef, removals: readonly Removal[]): Promise<number> =>
      write(survey, removals, (events) => [...tombstoneUpdate(events)]),

    /** Deletes a batch of old tombstones without unpublished events. Returns whether it found some. */
    async deleteTombstones(before: Date): Promise<boolean> {
      const deletedSome = await Promise.all(
        DELETABLE.map(async ({ filter, hint }) => {
          const expired = { ...filter, created_at: { $lt: before }, 'outbox.at': { $exists: false } };
          const options = { hint, limit: BATCH, projection: { _id: 1 }, maxTimeMS: 10_000 } as const;
          const found = await tombstones.find(expired, options).toArray();
          if (found.length > 0) await tombstones.deleteMany({ ...expired, _id: { $in: found.map(({ _id }) => _id) } });
          return found.length > 0;
        }),
      );
      return deletedSome.includes(true);
    },
  };
}

interface TombstoneRemoverDependencies {
  readonly store: Pick<DeletedResponseStore, 'deleteTombstones'>;
  /** Number of days for which the change feed reports a deletion. */
  readonly keptDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Margin for requests whose cursor expires while they run. */
const MARGIN_MS = 60 * 60_000;

/**
 * Deletes old tombstones, on one replica at a time. `keptDays` must exceed the lifetime of an `Idempotency-Key` (a day)
 * and the duration of any stalled write or import.
 */
export function createTombstoneRemover({ store, keptDays, lease, clock, log }: TombstoneRemoverDependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot delete old tombstones of responses',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - keptDays * DAY_MS - MARGIN_MS);
      while ((await store.deleteTombstones(before)) && !isStopped() && (await lease.acquire()));
    },
  });
}

export type WriteFence = ReturnType<typeof createWriteFence>;

/**
 * Makes late writes of stalled processes fail. Each write names the revision of the document that it replaces. The
 * fence raises the revision of the response, or of a tombstone with its id. If there is neither, it stores a tombstone.
 */
export function createWriteFence({
  collection,
  windows,
  clock,
}: Pick<Dependencies, 'collection' | 'windows'> & { readonly clock: () => Date }) {
  // Not limited to a tenant, because void and blocked tombstones have no tenant.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  return {
    /** Makes earlier writes fail that would insert a response with this id. Returns false if a response has the id. */
    async blockInsert(id: string): Promise<boolean> {
      // Raise the revision of an existing tombstone. A new tombstone has the revision 0.
      const revision = { $add: [{ $ifNull: ['$revision', -1] }, 1] };
      try {
        await tombstones.updateOne(
          { _id: id, status: { $in: ['void', 'blocked'] } },
          [{ $set: { status: 'blocked', revision, created_at: clock(), outbox: [] } }],
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await tombstones.findOne({ _id: id, ...IS_TOMBSTONE }, { maxTimeMS: 10_000 })) !== null;
      }
    },

    /** Makes writes fail that would change or delete this revision. Returns false if the response has changed. */
    async blockChange(response: Pick<Response, 'tenantId' | 'surveyId' | 'id' | 'revision'>): Promise<boolean> {
      const { tenantId, id, revision } = response;
      const responses = tenantCollection(collection, tenantId);
      const { matchedCount } = await windows.runInWindow([response], () =>
        responses.updateOne({ _id: id, revision }, { $inc: { revision: 1 }, ...SET_CHANGED }),
      );
      return matchedCount === 1;
    },
  };
}
