import type { Collection, Filter } from 'mongodb';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';

/** A document with unpublished events. */
export type PendingDocument = OutboxDocument & { readonly outbox: readonly OutboxEvent[] };

export interface OutboxBacklog {
  /** Documents with unpublished events, counted up to 10,000. */
  readonly documents: number;
  /** Age of the oldest event; 0 if there is none. */
  readonly oldestSeconds: number;
}

export interface OutboxStore {
  /**
   * Finds documents with events, oldest first.
   *
   * @param from time of the first event to read; index entries of older events are not scanned
   */
  findPage(limit: number, from?: Date): Promise<readonly PendingDocument[]>;
  /** Removes published events from their documents, and deletes tombstones without other events. */
  removeEvents(page: readonly PendingDocument[]): Promise<void>;
  measure(now: Date): Promise<OutboxBacklog>;
}

/** Maximum number of documents that a measurement counts. */
export const COUNT_LIMIT = 10_000;
const HAS_EVENTS: Filter<OutboxDocument> = { 'outbox.at': { $exists: true } };
const OLDEST_FIRST = { 'outbox.at': 1 } as const;
const INDEX = outboxIndex.name;
const BEGINNING = new Date(0);

/** Queries of the relay, over all tenants. */
export function createOutboxStore(collection: Collection<OutboxDocument>): OutboxStore {
  return {
    async findPage(limit, from = BEGINNING) {
      // Majority reads: a rollback must not undo a published change. No sort: the index has the order already, and
      // sorting would read all documents.
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
      // Delete tombstones first: after the pull, no query would find them.
      const deleteTombstones = {
        deleteMany: { filter: { _id: { $in: tombstones }, tombstone: true as const, outbox: { $not: hasOthers } } },
      };
      await collection.bulkWrite(tombstones.length === 0 ? [pull] : [deleteTombstones, pull]);
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
