import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { toBatches } from '../flow/batches.ts';
import { createLoop, type StepResult } from '../flow/loop.ts';
import { memoize } from '../flow/memoize.ts';
import type { ContendedLease } from '../mongo/lease.ts';
import { SCRAPE_CACHE_MS } from '../telemetry/backlog-metrics.ts';
import { createReportedGauge, type Reporting } from '../telemetry/reported-gauge.ts';
import { sharedCounter } from '../telemetry/shared-metrics.ts';
import { startAtZero } from '../telemetry/start-at-zero.ts';
import { type OutboxEvent, toMessage } from './outbox-event.ts';
import type { OutboxBacklog, OutboxStore, PendingDocument } from './outbox-store.ts';
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

/** The start of the relay's next page in the index, by the time of events. */
interface OutboxPosition {
  /** Begins a step. Returns the start of its page; undefined means the beginning of the index. */
  beginStep(): Date | undefined;
  /** Call this after a page is published. The next page starts near its end. */
  onPagePublished(page: readonly { readonly outbox: readonly OutboxEvent[] }[]): void;
  /** Ends a step. A step that is not ended counts as failed. */
  endStep(): void;
}

interface Lookback {
  readonly backMs: number;
  readonly everyMs: number;
  dueAt: number;
}

/** Every page starts this long before the end of the last one, because events are stored slightly out of order. */
const OVERLAP_MS = 100;
/** Occasional longer looks back, for events that were stored late. */
const TO_BEGINNING = { backMs: Number.POSITIVE_INFINITY, everyMs: 10_000 } as const;
const ONE_SECOND = { backMs: 1_000, everyMs: 100 } as const;
/** After a step that took this long, events may have been stored later than `ONE_SECOND` finds them. */
const SLOW_MS = 500;

/**
 * MongoDB keeps removed index entries for minutes, and a query must skip all of them. So a page starts close to the end
 * of the last published page, and looks to the beginning of the index are rare: every ten seconds, and after each slow
 * or failed step, when writes may have been slow, too.
 */
export function createOutboxPosition(
  now: () => number = () => performance.now(),
  wallClock: () => number = Date.now,
): OutboxPosition {
  const toBeginning = { ...TO_BEGINNING, dueAt: Number.NEGATIVE_INFINITY };
  const lookbacks: readonly Lookback[] = [toBeginning, { ...ONE_SECOND, dueAt: Number.NEGATIVE_INFINITY }];
  let publishedUntil: number | undefined;
  let step: { readonly due: Lookback | undefined; readonly startedAt: number } | undefined;

  function lookToBeginningNext(): void {
    toBeginning.dueAt = Number.NEGATIVE_INFINITY;
  }

  return {
    beginStep() {
      if (step !== undefined) lookToBeginningNext();
      const startedAt = now();
      const due = lookbacks.find(({ dueAt }) => dueAt <= startedAt);
      step = { due, startedAt };
      const backMs = due?.backMs ?? OVERLAP_MS;
      return publishedUntil === undefined || backMs === Number.POSITIVE_INFINITY
        ? undefined
        : new Date(publishedUntil - backMs);
    },

    onPagePublished(page) {
      const lastEvents = page.at(-1)?.outbox ?? [];
      if (lastEvents.length === 0) return;
      const oldest = Math.min(...lastEvents.map(({ at }) => at.getTime()));
      // Events of a process whose clock is ahead must not hide other events.
      publishedUntil = Math.min(oldest, wallClock());
    },

    endStep() {
      if (step === undefined) return;
      const { due, startedAt } = step;
      step = undefined;
      if (due !== undefined) due.dueAt = now() + due.everyMs;
      // The look itself can be slow: it must not cause the next one.
      if (due !== toBeginning && now() - startedAt >= SLOW_MS) lookToBeginningNext();
    },
  };
}

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
