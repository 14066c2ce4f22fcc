import type { OutboxEvent } from './outbox-event.ts';

/** Where the relay's next page begins in the index, by the time of events. */
interface OutboxPosition {
  /** The page begins there; undefined stands for the beginning of the index. */
  ofNextPage(): Date | undefined;
  /** Call it once the page is read: a look back that took long is repeated less often. */
  read(): void;
  /** Continue behind a published page. */
  follow(page: readonly { readonly outbox: readonly OutboxEvent[] }[]): void;
}

/** Every page starts this long before the end of the last one: events are stored slightly out of order. */
const ALWAYS_BACK_MS = 100;
/** Looks further back, for events that were stored late. */
const LOOKS_BACK = [
  { backMs: Number.POSITIVE_INFINITY, everyMs: 1_000 },
  { backMs: 1_000, everyMs: 100 },
] as const;
/** A look back uses at most one part in so many of the relay's time. */
const COST_FACTOR = 50;

/**
 * MongoDB keeps removed entries in an index for minutes, and a query that starts in front of them passes them all. So a
 * page starts close to the end of the last one, and looks back are rare enough to cost 2 % each.
 */
export function createOutboxPosition(
  now: () => number = () => performance.now(),
  wallClock: () => number = Date.now,
): OutboxPosition {
  const looks = LOOKS_BACK.map((look) => ({ ...look, dueAt: Number.NEGATIVE_INFINITY }));
  let last: number | undefined;
  let looking: { readonly look: (typeof looks)[number]; readonly since: number } | undefined;

  return {
    ofNextPage() {
      const since = now();
      const look = looks.find(({ dueAt }) => dueAt <= since);
      looking = look && { look, since };
      const backMs = look?.backMs ?? ALWAYS_BACK_MS;
      return last === undefined || backMs === Number.POSITIVE_INFINITY ? undefined : new Date(last - backMs);
    },

    read() {
      if (looking === undefined) return;
      const { look, since } = looking;
      look.dueAt = now() + Math.max(look.everyMs, COST_FACTOR * (now() - since));
    },

    follow(page) {
      const ends = page.at(-1)?.outbox ?? [];
      if (ends.length === 0) return;
      const oldest = Math.min(...ends.map(({ at }) => at.getTime()));
      // A clock that is ahead must not hide the events of the others.
      last = Math.min(oldest, wallClock());
    },
  };
}
