import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { toBatches } from '../flow/batches.ts';
import { createLoop, type StepResult } from '../flow/loop.ts';
import type { ContendedLease } from '../mongo/lease.ts';
import { sharedCounter } from '../telemetry/shared-metrics.ts';
import { startAtZero } from '../telemetry/start-at-zero.ts';
import { toMessage } from './outbox-event.ts';
import { createOutboxPosition } from './outbox-position.ts';
import type { OutboxStore, PendingDocument } from './outbox-store.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';

/** Publishes the events of a collection's documents to Kafka. */
export interface OutboxRelay {
  start(): void;
  /** Reports new events, so that the relay need not wait for its next poll. Cheap: call it after each write. */
  wake(): void;
  /** Finishes the current page and releases the lease. */
  stop(): Promise<void>;
}

const PAGE = 500;
/** A part of a page that is published at once. Usually the whole page, if documents have one event each. */
const PART = { items: PAGE, size: PAGE, sizeOf: ({ outbox }: PendingDocument) => outbox.length };
/** Poll interval while other replicas exist, which cannot wake the leader. */
const POLL_MS = 500;
/** Longest poll interval without other replicas. `wake` covers all writes except those with an unknown outcome. */
const IDLE_POLL_MS = 30_000;
/**
 * Pause after a page that is not full, as a multiple of its duration. Under load, this makes pages larger, not more
 * frequent.
 */
const PAUSE_FACTOR = 4;
const MAX_PAUSE_MS = 100;
const STANDBY_MS = 1_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };
const STANDBY: StepResult = { foundWork: true, pauseMs: STANDBY_MS, immediately: true };

/**
 * Publishes the events of a collection in pages, oldest first, and then removes them from their documents. Only the
 * relay with the lease works.
 * A relay that dies or stalls may cause repeats, with the same ids. It loses nothing and keeps the order of events in a
 * document, even without a fence. (`insertWithEvents` stores events outside of their documents: ADR 4.) An event leaves
 * its document only when Kafka has it, so all earlier events are in the same page or in Kafka.
 *
 * @param name name of the collection
 * @param lease should last longer than publishing usually takes, such as 10 s
 */
export function createOutboxRelay({
  name,
  store,
  publisher,
  lease,
  log,
  registry,
}: {
  readonly name: string;
  readonly store: Pick<OutboxStore, 'findPage' | 'removeEvents'>;
  readonly publisher: Publisher;
  readonly lease: ContendedLease;
  readonly log: Logger;
  readonly registry: Registry;
}): OutboxRelay {
  const metrics = createRelayMetrics(registry);
  startAtZero(metrics.failures, { collection: name });
  startAtZero(metrics.published, { collection: name });
  const position = createOutboxPosition();

  async function publishPage(isStopped: () => boolean): Promise<StepResult> {
    const startedAt = performance.now();
    if (!(await lease.acquire())) return STANDBY;
    const page = await store.findPage(PAGE, position.beginStep());
    for (const [index, part] of toBatches(page, PART).entries()) {
      // Renew the lease for each part: a document may have many events.
      if (index > 0 && (isStopped() || !(await lease.acquire()))) return STANDBY;
      await publishPart(part);
    }
    position.endStep();
    if (page.length === PAGE) return { foundWork: true, immediately: true };
    const pauseMs = Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (performance.now() - startedAt));
    return { foundWork: page.length > 0 || lease.isWanted(), pauseMs };
  }

  async function publishPart(part: readonly PendingDocument[]): Promise<void> {
    const messages = part.flatMap(({ outbox }) => outbox.map(toMessage));
    await publish(messages);
    await store.removeEvents(part);
    position.onPagePublished(part);
    metrics.published.inc({ collection: name }, messages.length);
  }

  async function publish(messages: readonly OutgoingMessage[]): Promise<void> {
    try {
      await publisher.publish(messages);
    } catch (error) {
      metrics.failures.inc({ collection: name });
      throw error;
    }
  }

  return createLoop({
    step: publishPage,
    everyMs: POLL_MS,
    idleEveryMs: IDLE_POLL_MS,
    backoff: BACKOFF,
    failure: 'cannot publish events',
    log: log.child({ collection: name }),
    lease,
  });
}

function createRelayMetrics(registry: Registry) {
  const labelNames = ['collection'] as const;
  return {
    failures: sharedCounter(registry, {
      name: 'outbox_publish_failures_total',
      help: 'Failed attempts to publish a page of events; they are retried.',
      labelNames,
      aggregator: 'sum',
    }),
    published: sharedCounter(registry, {
      name: 'outbox_published_events_total',
      help: 'Events that were published and removed from their documents.',
      labelNames,
      aggregator: 'sum',
    }),
  };
}
