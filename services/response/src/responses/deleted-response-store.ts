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
 * Tombstones that can be deleted: temporary ones, and those without a tenant. A tombstone has no tenant if its response
 * was never stored, or if it is of an earlier release.
 */
const DELETABLE = [
  { filter: { temporary: true as const }, hint: TEMPORARY_INDEX },
  { filter: { tenant_id: null, ...IS_TOMBSTONE }, hint: NEWEST_FIRST_INDEX },
];
const BATCH = 1_000;

export type DeletedResponseStore = ReturnType<typeof createDeletedResponseStore>;

/**
 * Deletes responses. A tombstone keeps repeated requests, late writes and resumed imports from storing a deleted
 * response again. The tombstone of a response that came through a link is permanent: it marks a single-use token as
 * used.
 */
export function createDeletedResponseStore({ collection, windows, slices, onEvent }: Dependencies) {
  const responses = systemScope(collection);
  // Tombstones are in the same collection as responses.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  /** Deletes the stored counts (slices) of the deleted responses. */
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
     * Deletes a response. Returns false if it is not at this revision.
     *
     * @param entry id of the ledger entry, if the response frees a seat
     */
    async remove(response: StoredResponseFields, events: Events, entry?: string): Promise<boolean> {
      const removed = await write(response, [{ response, events }], (stored) => deletionUpdate(stored, entry));
      return removed === 1;
    },

    /**
     * Deletes responses to a survey in one write, except those not at their revision. Returns the number deleted.
     *
     * @param entry id of the ledger entry, if responses free seats
     */
    removeUnchanged: (survey: SurveyRef, removals: readonly Removal[], entry?: string): Promise<number> =>
      write(survey, removals, (events) => deletionUpdate(events, entry)),

    /**
     * Like `removeUnchanged`, for surveys that accept no responses. Tombstones remain until their events are published.
     */
    purgeUnchanged: (survey: SurveyRef, removals: readonly Removal[]): Promise<number> =>
      write(survey, removals, (events) => [...tombstoneUpdate(events)]),

    /**
     * Deletes a batch of temporary tombstones from before a time, if their events are published. Returns false if there
     * were none.
     */
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
  /** Days that the change feed reports a deletion. */
  readonly keptDays: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Additional time for requests whose cursor expires while they run. */
const MARGIN_MS = 60 * 60_000;

/**
 * Deletes old tombstones. Runs on one replica at a time. `keptDays` must be longer than an `Idempotency-Key` is
 * valid (a day), and than any stalled write or import lasts.
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

/** Makes later writes of stalled processes fail, so that the caller can assume that these writes never happen. */
export function createWriteFence({
  collection,
  windows,
  clock,
}: Pick<Dependencies, 'collection' | 'windows'> & { readonly clock: () => Date }) {
  // Not limited to a tenant: void and blocked tombstones have none.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  return {
    /**
     * From now on, no write can store a response with this id if it was planned before. Returns false if there is such
     * a response.
     */
    async blockInsert(id: string): Promise<boolean> {
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

    /** From now on, nobody can change or delete this revision. Returns false if the response has changed. */
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
