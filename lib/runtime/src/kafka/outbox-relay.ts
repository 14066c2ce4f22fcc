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
/** A page is published in parts of up to 500 documents with 500 events in all. Usually a single part is enough. */
const PART_LIMITS = { maxItems: PAGE, maxSize: PAGE, sizeOf: ({ outbox }: PendingDocument) => outbox.length };
/** Poll interval while another replica wants the lease: its writes cannot wake this one. */
const POLL_MS = 500;
/** Longest poll interval of a single replica. `wake` reports its writes, but not those whose reply was lost. */
const IDLE_POLL_MS = 30_000;
/**
 * Pause after a page that is not full, as a multiple of the time that the page took. Under load, this makes pages
 * larger, not more frequent.
 */
const PAUSE_FACTOR = 4;
const MAX_PAUSE_MS = 100;
const STANDBY_MS = 1_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };
/** Without the lease: ask for it again after this pause, which does not grow. A relay that stops ends the pause. */
const STANDBY: StepResult = { expectsWork: true, pauseMs: STANDBY_MS, skipsWait: true };

/**
 * Publishes the events of a collection in pages, oldest first, and then removes them from their documents. Only the
 * relay with the lease works. `wake` is cheap: call it after each write. A stop finishes the part of a page that is being
 * published.
 *
 * A relay that dies or stalls may publish events twice, with the same ids. It loses none, and keeps the order of the
 * events of a document, even if two relays overlap: a page has all events of a document, and they leave it only when
 * Kafka has them. Imports store events in documents of their own, without an order to later ones (ADR 4).
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
    if (page.length === PAGE) return { expectsWork: true, skipsWait: true };
    const pauseMs = Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (performance.now() - startedAt));
    return { expectsWork: page.length > 0 || lease.isWanted(), pauseMs };
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

/** How often a page starts further back than usual, and how far. */
interface LookbackSchedule {
  /** Time from the start of such a page to the end of the page before it. */
  readonly backMs: number;
  readonly everyMs: number;
  /** Monotonic time. */
  dueAt: number;
}

/**
 * Every page starts this long before the end of the last one. An event gets its time before it is stored, so an earlier
 * event can be stored after a later one.
 */
const OVERLAP_MS = 100;
/** Pages that start further back, for events that were stored later than `OVERLAP_MS` after their time. */
const TO_BEGINNING = { backMs: Number.POSITIVE_INFINITY, everyMs: 10_000 } as const;
const ONE_SECOND = { backMs: 1_000, everyMs: 100 } as const;
/** After a step this slow, look to the beginning: writes may be as slow, and exceed `ONE_SECOND` soon. */
const SLOW_MS = 500;

/**
 * Determines where the relay's next page starts in the index, which has the times of all events of the documents.
 *
 * MongoDB keeps the entries of removed events for minutes, and a query walks over all that follow its start. So a page
 * starts close to the end of the last one. Ten times a second, a page starts one second before it; every ten seconds,
 * and after each slow or failed step, at the beginning of the index.
 */
export function createOutboxPosition(now: () => number = () => performance.now(), wallClock: () => number = Date.now) {
  const toBeginning = { ...TO_BEGINNING, dueAt: Number.NEGATIVE_INFINITY };
  const lookbacks: readonly LookbackSchedule[] = [toBeginning, { ...ONE_SECOND, dueAt: Number.NEGATIVE_INFINITY }];
  let publishedUntil: number | undefined;
  let step: { readonly due: LookbackSchedule | undefined; readonly startedAt: number } | undefined;

  function lookToBeginningNext(): void {
    toBeginning.dueAt = Number.NEGATIVE_INFINITY;
  }

  return {
    /** Begins a step. Returns the start of its page; undefined means the beginning of the index. */
    beginStep(): Date | undefined {
      if (step !== undefined) lookToBeginningNext();
      const startedAt = now();
      // `toBeginning` comes first in the list, because its page includes that of the other.
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
      // The index has an entry for each event. The page found its last document by one of them, perhaps by the oldest.
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
      // A page from the beginning can be slow because of removed entries, so it does not cause another one.
      if (due !== toBeginning && now() - startedAt >= SLOW_MS) lookToBeginningNext();
    },
  };
}
