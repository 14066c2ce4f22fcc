import type { OutboxEvent } from './outbox-event.ts';

/** The start of the relay's next page in the index, by the time of events. */
interface OutboxPosition {
  /** Returns the start of the next page; undefined means the beginning of the index. */
  nextPageStart(): Date | undefined;
  /** Call this after the page is read. It schedules the next look back, later if this one was slow. */
  onPageRead(): void;
  /** Continues after a published page. */
  onPagePublished(page: readonly { readonly outbox: readonly OutboxEvent[] }[]): void;
}

/** Every page starts this long before the end of the last one, because events are stored slightly out of order. */
const OVERLAP_MS = 100;
/** Occasional longer looks back, for events that were stored late. */
const LOOKS_BACK = [
  { backMs: Number.POSITIVE_INFINITY, everyMs: 1_000 },
  { backMs: 1_000, everyMs: 100 },
] as const;
/** A look back takes at most 1/50 of the relay's time. */
const COST_FACTOR = 50;

/**
 * MongoDB keeps removed index entries for minutes, and a query must skip all of them. So a page starts close to the end
 * of the last one, and each kind of look back costs at most 2 % of the time.
 */
export function createOutboxPosition(
  now: () => number = () => performance.now(),
  wallClock: () => number = Date.now,
): OutboxPosition {
  const looks = LOOKS_BACK.map((look) => ({ ...look, dueAt: Number.NEGATIVE_INFINITY }));
  let last: number | undefined;
  let looking: { readonly look: (typeof looks)[number]; readonly since: number } | undefined;

  return {
    nextPageStart() {
      const since = now();
      const look = looks.find(({ dueAt }) => dueAt <= since);
      looking = look && { look, since };
      const backMs = look?.backMs ?? OVERLAP_MS;
      return last === undefined || backMs === Number.POSITIVE_INFINITY ? undefined : new Date(last - backMs);
    },

    onPageRead() {
      if (looking === undefined) return;
      const { look, since } = looking;
      look.dueAt = now() + Math.max(look.everyMs, COST_FACTOR * (now() - since));
    },

    onPagePublished(page) {
      const ends = page.at(-1)?.outbox ?? [];
      if (ends.length === 0) return;
      const oldest = Math.min(...ends.map(({ at }) => at.getTime()));
      // Events with a clock that is ahead must not hide other events.
      last = Math.min(oldest, wallClock());
    },
  };
}
