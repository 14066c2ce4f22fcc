import type { OutboxEvent } from './outbox-event.ts';

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
