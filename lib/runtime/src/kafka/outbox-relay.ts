import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { toBatches } from '../flow/batcher.ts';
import { createLoop, type PeriodicWorker, type StepResult } from '../flow/loop.ts';
import type { ContendedLease } from '../mongo/lease.ts';
import { sharedCounter, startAtZero } from '../telemetry/metrics.ts';
import { type OutboxEvent, toMessage } from './outbox-event.ts';
import type { OutboxStore, PendingDocument } from './outbox-store.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';

const PAGE = 500;
/** Limits of a part: what is published at once. Usually a part is a whole page, if documents have one event each. */
const PART_LIMITS = { items: PAGE, size: PAGE, sizeOf: ({ outbox }: PendingDocument) => outbox.length };
/** Poll interval while another replica wants the lease: its writes cannot wake this one. */
const POLL_MS = 500;
/** Longest poll interval of a single replica. `wake` reports its writes, except those whose outcome is unknown. */
const IDLE_POLL_MS = 30_000;
/**
 * Pause after a page that is not full, as a multiple of the time that the page took. Under load, this makes pages
 * larger, not more frequent.
 */
const PAUSE_FACTOR = 4;
const MAX_PAUSE_MS = 100;
const STANDBY_MS = 1_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };
/** Another replica publishes, or this one stops: ask for the lease again after the pause, without growing waits. */
const STANDBY: StepResult = { foundWork: true, pauseMs: STANDBY_MS, immediately: true };

/**
 * Publishes the events of a collection in pages, oldest first, and then removes them from their documents. Only the
 * relay with the lease works. `wake` is cheap: call it after each write. A stop finishes the part of a page that is being
 * published.
 *
 * A relay that dies or stalls may cause repeats, with the same ids. It loses nothing and keeps the order of the events of
 * a document, even if two relays overlap: an event leaves its document only when Kafka has it, so the earlier events of
 * the document are published before it or with it. ADR 4 tells of events outside of their documents.
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
}): PeriodicWorker {
  const failures = sharedCounter(registry, {
    name: 'outbox_publish_failures_total',
    help: 'Failed attempts to publish a page of events; they are retried.',
    labelNames: ['collection'],
    aggregator: 'sum',
  });
  const published = sharedCounter(registry, {
    name: 'outbox_published_events_total',
    help: 'Events that were published and removed from their documents.',
    labelNames: ['collection'],
    aggregator: 'sum',
  });
  startAtZero(failures, { collection: name });
  startAtZero(published, { collection: name });
  const position = createOutboxPosition();

  async function publishPage(isStopped: () => boolean): Promise<StepResult> {
    const startedAt = performance.now();
    if (!(await lease.acquire())) return STANDBY;
    const page = await store.findPage(PAGE, position.beginStep());
    for (const [index, part] of toBatches(page, PART_LIMITS).entries()) {
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
    position.onPublished(part);
    published.inc({ collection: name }, messages.length);
  }

  async function publish(messages: readonly OutgoingMessage[]): Promise<void> {
    try {
      await publisher.publish(messages);
    } catch (error) {
      failures.inc({ collection: name });
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

/** A page that starts further back than usual. */
interface Lookback {
  /** Time from its start to the end of the last page. */
  readonly backMs: number;
  readonly everyMs: number;
  /** Monotonic time. */
  dueAt: number;
}

/** Every page starts this long before the end of the last one, because events are stored slightly out of order. */
const OVERLAP_MS = 100;
/** Occasional longer looks back, for events that were stored late. */
const TO_BEGINNING = { backMs: Number.POSITIVE_INFINITY, everyMs: 10_000 } as const;
const ONE_SECOND = { backMs: 1_000, everyMs: 100 } as const;
/** After a step that took this long, writes may be slow, too: half of `ONE_SECOND` is left for them. */
const SLOW_MS = 500;

/**
 * The start of the relay's next page in the index, by the time of events.
 *
 * MongoDB keeps removed index entries for minutes, and a query must skip all of them. So a page starts close to the end
 * of the last one. Ten times a second, a page starts one second before it; every ten seconds, and after each slow or
 * failed step, at the beginning of the index.
 */
export function createOutboxPosition(now: () => number = () => performance.now(), wallClock: () => number = Date.now) {
  const toBeginning = { ...TO_BEGINNING, dueAt: Number.NEGATIVE_INFINITY };
  const lookbacks: readonly Lookback[] = [toBeginning, { ...ONE_SECOND, dueAt: Number.NEGATIVE_INFINITY }];
  let publishedUntil: number | undefined;
  let step: { readonly due: Lookback | undefined; readonly startedAt: number } | undefined;

  function lookToBeginningNext(): void {
    toBeginning.dueAt = Number.NEGATIVE_INFINITY;
  }

  return {
    /** Begins a step. Returns the start of its page; undefined means the beginning of the index. */
    beginStep(): Date | undefined {
      if (step !== undefined) lookToBeginningNext();
      const startedAt = now();
      // The look to the beginning comes first in the list, because it includes the other.
      const due = lookbacks.find(({ dueAt }) => dueAt <= startedAt);
      step = { due, startedAt };
      const backMs = due?.backMs ?? OVERLAP_MS;
      return publishedUntil === undefined || backMs === Number.POSITIVE_INFINITY
        ? undefined
        : new Date(publishedUntil - backMs);
    },

    /** Call this after a part is published. The next page starts near its end. */
    onPublished(part: readonly { readonly outbox: readonly OutboxEvent[] }[]): void {
      const lastEvents = part.at(-1)?.outbox ?? [];
      if (lastEvents.length === 0) return;
      // A document is in the index at the time of each of its events. The oldest one is the earliest end of the part.
      const oldest = Math.min(...lastEvents.map(({ at }) => at.getTime()));
      // Events of a process whose clock is ahead must not hide other events.
      publishedUntil = Math.min(oldest, wallClock());
    },

    /** Ends a step that published its whole page. Otherwise the step counts as failed. */
    endStep(): void {
      if (step === undefined) return;
      const { due, startedAt } = step;
      step = undefined;
      if (due !== undefined) due.dueAt = now() + due.everyMs;
      // A page from the beginning can be slow itself: it must not cause the next one.
      if (due !== toBeginning && now() - startedAt >= SLOW_MS) lookToBeginningNext();
    },
  };
}
