import type { OutboxEvent } from './outbox-event.ts';

/** The start of the relay's next page in the index, by the time of events. */
interface OutboxPosition {
  /** Returns the start of the next page; undefined means the beginning of the index. */
  nextPageStart(): Date | undefined;
  /** Call this after the page is read. It schedules the next look back, later if this one was slow. */
  onPageRead(): void;
  /** Call this after the page is published. The next page starts near its end. */
  onPagePublished(page: readonly { readonly outbox: readonly OutboxEvent[] }[]): void;
}

/** Every page starts this long before the end of the last one, because events are stored slightly out of order. */
const OVERLAP_MS = 100;
/** Occasional longer looks back, for events that were stored late. */
const LOOKBACKS = [
  { backMs: Number.POSITIVE_INFINITY, everyMs: 1_000 },
  { backMs: 1_000, everyMs: 100 },
] as const;
/** A look back takes at most 1/50 of the relay's time. */
const COST_FACTOR = 50;

/**
 * MongoDB keeps removed index entries for minutes, and a query must skip all of them. So a page starts close to the end
 * of the last published page. Each kind of look back costs at most 2 % of the time.
 */
export function createOutboxPosition(
  now: () => number = () => performance.now(),
  wallClock: () => number = Date.now,
): OutboxPosition {
  const lookbacks = LOOKBACKS.map((lookback) => ({ ...lookback, dueAt: Number.NEGATIVE_INFINITY }));
  let publishedUntil: number | undefined;
  let current: { readonly lookback: (typeof lookbacks)[number]; readonly since: number } | undefined;

  return {
    nextPageStart() {
      const since = now();
      const lookback = lookbacks.find(({ dueAt }) => dueAt <= since);
      current = lookback && { lookback, since };
      const backMs = lookback?.backMs ?? OVERLAP_MS;
      return publishedUntil === undefined || backMs === Number.POSITIVE_INFINITY
        ? undefined
        : new Date(publishedUntil - backMs);
    },

    onPageRead() {
      if (current === undefined) return;
      const { lookback, since } = current;
      lookback.dueAt = now() + Math.max(lookback.everyMs, COST_FACTOR * (now() - since));
    },

    onPagePublished(page) {
      const lastEvents = page.at(-1)?.outbox ?? [];
      if (lastEvents.length === 0) return;
      const oldest = Math.min(...lastEvents.map(({ at }) => at.getTime()));
      // Events of a process whose clock is ahead must not hide other events.
      publishedUntil = Math.min(oldest, wallClock());
    },
  };
}
