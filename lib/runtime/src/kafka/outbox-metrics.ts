import { memoize } from '../flow/memoize.ts';
import { SCRAPE_CACHE_MS } from '../telemetry/backlog-metrics.ts';
import { createReportedGauge, type Reporting } from '../telemetry/reported-gauge.ts';
import type { OutboxBacklog, OutboxStore } from './outbox-store.ts';

/** Adds the outbox of a collection to the gauges. */
type AddOutbox = (collection: string, store: Pick<OutboxStore, 'measure'>) => void;

/**
 * Registers gauges for the outboxes of a service. They do not depend on the relays, which may hang when the gauges
 * matter.
 */
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
    'Documents with unpublished events, counted up to 10,000; those of imports have up to twenty events',
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
      memoize(() => store.measure(clock()), { ttlMs: SCRAPE_CACHE_MS }),
    );
  };
}
