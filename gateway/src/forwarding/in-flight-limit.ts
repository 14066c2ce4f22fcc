/** An adaptive limit of concurrent requests to one service. */
export interface InFlightLimit {
  current(): number;
  /** Records the time until a reply began, in milliseconds. */
  observe(durationMs: number): void;
}

/** A lower limit would throttle services whose replies are slow without load. */
const MIN_LIMIT = 128;
/** If the fastest reply of an interval is slower, requests are queueing. */
const TARGET_MS = 250;
/** Interval of adjustments. */
const INTERVAL_MS = 100;
const STEP_UP = 16;
const FACTOR_DOWN = 0.75;

/**
 * A limit that drops while requests queue persistently, and recovers afterwards. It looks at the fastest reply of an
 * interval, so single slow replies do not count: CoDel distinguishes queues from bursts in the same way (RFC 8289,
 * section 3.1).
 *
 * @param now milliseconds that never decrease
 */
export function createInFlightLimit({ max, now }: { readonly max: number; readonly now: () => number }): InFlightLimit {
  const min = Math.min(MIN_LIMIT, max);
  let limit = max;
  let fastestMs = Number.POSITIVE_INFINITY;
  let intervalStart = now();

  return {
    current: () => limit,
    observe(durationMs) {
      fastestMs = Math.min(fastestMs, durationMs);
      if (now() - intervalStart < INTERVAL_MS) return;
      limit = fastestMs > TARGET_MS ? Math.max(min, Math.floor(limit * FACTOR_DOWN)) : Math.min(max, limit + STEP_UP);
      fastestMs = Number.POSITIVE_INFINITY;
      intervalStart = now();
    },
  };
}
