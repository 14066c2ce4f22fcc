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
/** Poll interval while another replica wants the lease: writes of that replica cannot wake this relay. */
const POLL_MS = 500;
/** Longest poll interval of a single replica. `wake` reports its writes, except those whose reply was lost. */
const IDLE_POLL_MS = 30_000;
/** Pause after a page, as a multiple of its duration. Under load, pages get larger, not more frequent. */
const PAUSE_FACTOR = 4;
const MAX_PAUSE_MS = 100;
const STANDBY_MS = 1_000;
const BACKOFF = { firstMs: 250, maxMs: 5_000 };
/** A step without the lease: the next step asks for it again. `stop` ends the pause. */
const STANDBY: StepResult = { expectsWork: true, pauseMs: STANDBY_MS, skipsWait: true };

/**
 * Publishes the events of a collection in pages, oldest first, and removes published events from their documents. Only
 * the relay with the lease works. Call `wake` after each write: it is cheap. `stop` waits for the part of a page that
 * is being published.
 *
 * A relay that dies or stalls may publish events twice, with the same ids. No event is lost, and the events of a
 * document keep their order, even if two relays overlap: a page has all events of its documents, and events are removed
 * only when Kafka has them. Events of imports are in carriers, without an order to later events (ADR 4).
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
  /** Time from the start of such a page to the end of the previous page. */
  readonly backMs: number;
  readonly everyMs: number;
  /** Monotonic time. */
  dueAt: number;
}

/** A page starts this long before the end of the previous one: events are not stored exactly in order of time. */
const OVERLAP_MS = 100;
/** Pages that start further back, for events that were stored later than `OVERLAP_MS` after their time. */
const TO_BEGINNING = { backMs: Number.POSITIVE_INFINITY, everyMs: 10_000 } as const;
const ONE_SECOND = { backMs: 1_000, everyMs: 100 } as const;
/** After a step this slow, a page starts at the beginning: writes may be as slow, and exceed `ONE_SECOND` soon. */
const SLOW_MS = 500;

/**
 * Determines where the relay's next page starts in the index, which has an entry for the time of each event.
 *
 * MongoDB keeps the entries of removed events for minutes, and a query walks over all entries after its start. So a
 * page starts close to the end of the previous one. Ten times a second, a page starts one second before that end. Every
 * ten seconds, and after each slow or failed step, a page starts at the beginning of the index.
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
      // `toBeginning` comes first in the list, because its pages include those of `ONE_SECOND`.
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
      // The page may have found its last document by the index entry of any event, perhaps of the oldest.
      const oldest = Math.min(...lastEvents.map(({ at }) => at.getTime()));
      // Events of a process whose clock is ahead must not hide other events.
      publishedUntil = Math.min(oldest, wallClock());
    },

    /** Ends a step that published its whole page. A step without this call counts as failed. */
    endStep(): void {
      if (step === undefined) return;
      const { due, startedAt } = step;
      step = undefined;
      if (due !== undefined) due.dueAt = now() + due.everyMs;
      // A page from the beginning can be slow because of removed entries, so it does not cause another such page.
      if (due !== toBeginning && now() - startedAt >= SLOW_MS) lookToBeginningNext();
    },
  };
}
