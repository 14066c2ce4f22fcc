import type { Collection, Filter } from 'mongodb';
import { memoize } from '../flow/memoize.ts';
import { createReportedGauge, type Reporting, SCRAPE_CACHE_MS } from '../telemetry/reported-gauge.ts';
import { type OutboxDocument, type OutboxEvent, outboxIndex } from './outbox-event.ts';

export type PendingDocument = OutboxDocument & { readonly outbox: readonly OutboxEvent[] };

interface OutboxBacklog {
  /** Documents with unpublished events, counted up to 10,000. */
  readonly documents: number;
  /** Age of the oldest event; 0 if there is none. */
  readonly oldestSeconds: number;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export const COUNT_LIMIT = 10_000;
const HAS_EVENTS: Filter<OutboxDocument> = { 'outbox.at': { $exists: true } };
const OLDEST_FIRST = { 'outbox.at': 1 } as const;
const INDEX = outboxIndex.name;
const BEGINNING = new Date(0);

/** Queries of the relay, which publishes the events of the outbox in each document to Kafka. They cover all tenants. */
export function createOutboxStore(collection: Collection<OutboxDocument>) {
  return {
    /**
     * Finds documents with events, oldest first.
     *
     * @param from time of the first event to read; index entries of older events are not scanned
     */
    async findPage(limit: number, from: Date = BEGINNING): Promise<readonly PendingDocument[]> {
      // Majority reads: a rollback must not undo a published change. No sort: `hint` and `min` read the index in its
      // order, and a sort would read all documents first.
      return collection
        .find<PendingDocument>(HAS_EVENTS, { readConcern: 'majority', readPreference: 'primary', hint: INDEX })
        .min({ 'outbox.at': from })
        .limit(limit)
        .project<PendingDocument>({ outbox: 1, tombstone: 1 })
        .toArray();
    },

    /**
     * Removes published events from their documents. A tombstone (a deleted document that waits for its last events) is
     * deleted, unless it has other events.
     */
    async removeEvents(page: readonly PendingDocument[]): Promise<void> {
      const isPublished = { $in: page.flatMap(({ outbox }) => outbox.map(({ id }) => id)) };
      const tombstones = page.filter(({ tombstone }) => tombstone).map(({ _id }) => _id);
      const hasOthers = { $elemMatch: { id: { $not: isPublished } } };
      const pull = {
        updateMany: {
          filter: { _id: { $in: page.map(({ _id }) => _id) } },
          update: { $pull: { outbox: { id: isPublished } } },
        },
      };
      // Delete tombstones first: without events, they are not in the index, so no query finds them again. Check
      // `tombstone` again, because an import may have restored the document since the page was read.
      const deleteTombstones = {
        deleteMany: { filter: { _id: { $in: tombstones }, tombstone: true as const, outbox: { $not: hasOthers } } },
      };
      await collection.bulkWrite(tombstones.length === 0 ? [pull] : [deleteTombstones, pull]);
    },

    async measure(now: Date): Promise<OutboxBacklog> {
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

type AddOutbox = (collection: string, store: Pick<OutboxStore, 'measure'>) => void;

/** Registers gauges for the outboxes of a service. They also work while the relays hang. */
export function createOutboxGauges({ clock, ...reporting }: Reporting & { readonly clock: () => Date }): AddOutbox {
  const outboxes = new Map<string, () => Promise<OutboxBacklog>>();

  function register(name: string, help: string, pick: (backlog: OutboxBacklog) => number): void {
    createReportedGauge({
      ...reporting,
      name,
      help,
      labelNames: ['collection'],
      async measure(gauge) {
        for (const [collection, measure] of outboxes) gauge.set({ collection }, pick(await measure()));
      },
    });
  }

  register(
    'outbox_pending_documents',
    `Documents with unpublished events, counted up to ${COUNT_LIMIT}; those of imports have up to twenty events`,
    ({ documents }) => documents,
  );
  register(
    'outbox_oldest_event_age_seconds',
    'Age of the oldest unpublished event',
    ({ oldestSeconds }) => oldestSeconds,
  );
  return (collection, store) => {
    outboxes.set(
      collection,
      // Both gauges share one measurement.
      memoize(() => store.measure(clock()), { ttlMs: SCRAPE_CACHE_MS }),
    );
  };
}
