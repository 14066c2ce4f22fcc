/** How many requests to one service may be under way at the same time. */
export interface InFlightLimit {
  current(): number;
  /** Takes note of how long an answer took to begin, in milliseconds. */
  observe(durationMs: number): void;
}

/** Fewer would hold up services whose answers take long though they have nothing to do. */
const LEAST = 128;
/** When even the quickest answer took longer, there is a queue that does not go away. */
const TARGET_MS = 250;
/** How long answers are watched for the quickest of them. */
const INTERVAL_MS = 100;
const STEP_UP = 16;
const FACTOR_DOWN = 0.75;

/**
 * A limit that sinks while there is a standing queue, wherever it stands, and rises again when there is none: who is let
 * in when more come than can be answered waits for all who were let in before. What takes long by itself among others
 * that do not changes nothing. As CoDel tells a standing queue from a burst (RFC 8289, section 3.1).
 *
 * @param now milliseconds that only ever grow
 */
export function createInFlightLimit({
  most,
  now,
}: {
  readonly most: number;
  readonly now: () => number;
}): InFlightLimit {
  const least = Math.min(LEAST, most);
  let limit = most;
  let quickestMs = Number.POSITIVE_INFINITY;
  let since = now();

  return {
    current: () => limit,
    observe(durationMs) {
      quickestMs = Math.min(quickestMs, durationMs);
      if (now() - since < INTERVAL_MS) return;
      limit =
        quickestMs > TARGET_MS ? Math.max(least, Math.floor(limit * FACTOR_DOWN)) : Math.min(most, limit + STEP_UP);
      quickestMs = Number.POSITIVE_INFINITY;
      since = now();
    },
  };
}
