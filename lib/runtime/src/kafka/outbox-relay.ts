import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { toBatches } from '../flow/batches.ts';
import { createLoop, type Next } from '../flow/loop.ts';
import type { ContendedLease } from '../mongo/lease.ts';
import { sharedCounter } from '../telemetry/shared-metrics.ts';
import { toMessage } from './outbox-event.ts';
import { createOutboxPosition } from './outbox-position.ts';
import type { OutboxStore, PendingDocument } from './outbox-store.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';

/** Brings the events that documents of a collection carry to Kafka. */
export interface OutboxRelay {
  start(): void;
  /** Says that there are new events, so that they need not wait for the next look. Cheap; call it after each write. */
  wake(): void;
  /** Finishes the page in hand and gives the lease back. */
  stop(): Promise<void>;
}

const PAGE = 500;
/** Of a page that is brought out at once: as many events as a page of documents with one each has. */
const PART = { items: PAGE, size: PAGE, sizeOf: ({ outbox }: PendingDocument) => outbox.length };
/** How often the leader looks by itself while other replicas are there, which cannot wake it. */
const POLL_MS = 500;
/** The longest pause of a leader without other replicas: it is woken, unless a write is in doubt. */
const IDLE_POLL_MS = 10_000;
/** How much longer than a page took the pause after one that was not full is: under load it makes them larger, not more. */
const GATHER_FOR = 4;
const MAX_GATHER_MS = 100;
const STANDBY_MS = 1_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };
const STANDBY: Next = { foundWork: true, pauseMs: STANDBY_MS, again: true };

/**
 * One relay at a time, the holder of the lease, publishes the events of a collection in pages, oldest first, those of
 * one document in their order, and takes them out of their documents afterwards. A relay that dies in between, or
 * stalls beyond its lease, makes repeats with the same ids; nothing is lost, and no event comes before those that its
 * document had earlier. That needs no fence: an event leaves its document only once Kafka has it, so whatever page a
 * relay holds, however old, what came before it in a document is in that page or in Kafka.
 *
 * @param name of the collection
 * @param lease its time should be longer than publishing usually takes: 10 s for example
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
  // What was never there before its first increase does not seem to increase.
  metrics.failures.inc({ collection: name }, 0);
  metrics.published.inc({ collection: name }, 0);
  const position = createOutboxPosition();

  async function publishPage(isStopped: () => boolean): Promise<Next> {
    const startedAt = performance.now();
    if (!(await lease.acquire())) return STANDBY;
    const page = await store.findPage(PAGE, position.ofNextPage());
    position.read();
    for (const [index, part] of toBatches(page, PART).entries()) {
      // A lease lasts for one part: a document may carry many events.
      if (index > 0 && (isStopped() || !(await lease.acquire()))) return STANDBY;
      await publishPart(part);
    }
    if (page.length === PAGE) return { foundWork: true, again: true };
    const pauseMs = Math.min(MAX_GATHER_MS, GATHER_FOR * (performance.now() - startedAt));
    return { foundWork: page.length > 0 || lease.isWanted(), pauseMs };
  }

  async function publishPart(page: readonly PendingDocument[]): Promise<void> {
    const messages = page.flatMap(({ outbox }) => outbox.map(toMessage));
    await publish(messages);
    await store.removeEvents(page);
    position.follow(page);
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
      help: 'Pages of events that Kafka did not take; each is tried again.',
      labelNames,
      aggregator: 'sum',
    }),
    published: sharedCounter(registry, {
      name: 'outbox_published_events_total',
      help: 'Events that were published and taken out of their documents.',
      labelNames,
      aggregator: 'sum',
    }),
  };
}
