import type { Collection, Filter } from 'mongodb';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';

/** A document of a page: one with events that are not out yet. */
export type PendingDocument = OutboxDocument & { readonly outbox: readonly OutboxEvent[] };

export interface Backlog {
  /** Documents with events that are not out; 10,000 stands for that many or more. */
  readonly documents: number;
  /** How long the oldest event has been waiting; 0 when there is none. */
  readonly oldestSeconds: number;
}

export interface OutboxStore {
  /**
   * Documents with events, those with the oldest first.
   *
   * @param from leaves out what has older events alone, without a look at where they are in the index
   */
  findPage(limit: number, from?: Date): Promise<readonly PendingDocument[]>;
  /** Takes published events out of their documents, and documents away that are tombstones without others. */
  removeEvents(page: readonly PendingDocument[]): Promise<void>;
  measure(now: Date): Promise<Backlog>;
}

/** Keys that a measurement examines at the most. */
export const COUNT_LIMIT = 10_000;
const HAS_EVENTS: Filter<OutboxDocument> = { 'outbox.at': { $exists: true } };
const OLDEST_FIRST = { 'outbox.at': 1 } as const;
const INDEX = outboxIndex.name;
/** Older than any event. */
const BEGINNING = new Date(0);

/** Queries of the relay, across all tenants. */
export function createOutboxStore(collection: Collection<OutboxDocument>): OutboxStore {
  return {
    async findPage(limit, from = BEGINNING) {
      // An event of a write that a rollback may still undo must not get out. The order is that of the index: if it were
      // asked for, MongoDB would read and sort all that is there.
      return collection
        .find<PendingDocument>(HAS_EVENTS, { readConcern: 'majority', readPreference: 'primary', hint: INDEX })
        .min({ 'outbox.at': from })
        .limit(limit)
        .project<PendingDocument>({ outbox: 1, tombstone: 1 })
        .toArray();
    },

    async removeEvents(page) {
      const published = { $in: page.flatMap(({ outbox }) => outbox.map(({ id }) => id)) };
      const tombstones = page.filter(({ tombstone }) => tombstone).map(({ _id }) => _id);
      const hasOthers = { $elemMatch: { id: { $not: published } } };
      const pull = {
        updateMany: {
          filter: { _id: { $in: page.map(({ _id }) => _id) } },
          update: { $pull: { outbox: { id: published } } },
        },
      };
      // First the tombstones: pulled but not deleted, nothing would lead to them again.
      const bury = {
        deleteMany: { filter: { _id: { $in: tombstones }, tombstone: true as const, outbox: { $not: hasOthers } } },
      };
      await collection.bulkWrite(tombstones.length === 0 ? [pull] : [bury, pull]);
    },

    async measure(now) {
      const documents = await collection.countDocuments(HAS_EVENTS, { hint: INDEX, limit: COUNT_LIMIT });
      const oldest = await collection.findOne(HAS_EVENTS, {
        sort: OLDEST_FIRST,
        hint: INDEX,
        projection: { outbox: 1 },
      });
      const times = (oldest?.outbox ?? []).map(({ at }) => at.getTime());
      return {
        documents,
        oldestSeconds: times.length === 0 ? 0 : Math.max(0, now.getTime() - Math.min(...times)) / 1000,
      };
    },
  };
}
