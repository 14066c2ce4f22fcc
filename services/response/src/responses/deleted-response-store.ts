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
 * Tombstones that `deleteTombstones` may delete: temporary ones, and those without a tenant. A tombstone has no tenant
 * if its response was never stored (`void`, `blocked`), or if it is of an earlier release.
 */
const DELETABLE = [
  { filter: { temporary: true as const }, hint: TEMPORARY_INDEX },
  { filter: { tenant_id: null, ...IS_TOMBSTONE }, hint: NEWEST_FIRST_INDEX },
];
const BATCH = 1_000;

export type DeletedResponseStore = ReturnType<typeof createDeletedResponseStore>;

/**
 * Deletes responses: each deletion replaces the response with a tombstone (see `Tombstone`). It keeps repeated
 * requests, late writes and resumed imports from storing the response again, and the change feed reports it.
 *
 * A tombstone is temporary: `deleteTombstones` deletes it after some days. If its response came through a link, it is
 * permanent, because it marks a single-use token as used. A purge of the survey deletes it.
 */
export function createDeletedResponseStore({ collection, windows, slices, onEvent }: Dependencies) {
  const responses = systemScope(collection);
  // Tombstones are in the same collection as responses.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  /** Deletes slices: stored counts of a time range. If the process dies before, summaries still notice the change. */
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
     * @param entry id of the ledger entry that records the write, if it frees a seat of a response limit
     */
    async remove(response: StoredResponseFields, events: Events, entry?: string): Promise<boolean> {
      const removed = await write(response, [{ response, events }], (stored) => deletionUpdate(stored, entry));
      return removed === 1;
    },

    /**
     * Deletes responses to a survey in one write, except those not at their revision. Returns the number deleted.
     *
     * @param entry as for `remove`
     */
    removeUnchanged: (survey: SurveyRef, removals: readonly Removal[], entry?: string): Promise<number> =>
      write(survey, removals, (events) => deletionUpdate(events, entry)),

    /**
     * Like `removeUnchanged`, for purged surveys. They accept no responses, so their tombstones are needed only until
     * the relay has published the events. The relay then removes them.
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

/**
 * Makes late writes of stalled processes fail, so that the caller can assume that these writes never happen. Each write
 * names the revision of the document that it replaces. So the fence raises the revision: of the response, or of a
 * tombstone that it stores under the id of a response that does not exist.
 */
export function createWriteFence({
  collection,
  windows,
  clock,
}: Pick<Dependencies, 'collection' | 'windows'> & { readonly clock: () => Date }) {
  // Not limited to a tenant: void and blocked tombstones have none.
  const tombstones = systemScope(collection as unknown as Collection<Tombstone>);

  return {
    /**
     * From now on, a write that was planned before this call cannot store a response with this id: the tombstone
     * `blocked` has the id, at a revision that the write does not know. Returns false if there is such a response.
     */
    async blockInsert(id: string): Promise<boolean> {
      // 0 in a new tombstone. An existing one can be replaced only at its former revision, so raise it.
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
