/** An adaptive limit of concurrent messages that wait for their reply from one service. */
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

interface Options {
  readonly max: number;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  /** Messages that wait for their reply now. */
  readonly waiting: () => number;
}

/**
 * A limit that drops while requests queue persistently, and recovers afterwards. It looks at the fastest reply of an
 * interval, so single slow replies do not count: CoDel distinguishes queues from bursts in the same way (RFC 8289,
 * section 3.1). It stays while no more requests wait than the lowest limit: these are slow for another reason, and no
 * lower limit would make their queue shorter.
 */
export function createInFlightLimit({ max, now, waiting }: Options): InFlightLimit {
  const min = Math.min(MIN_LIMIT, max);
  let limit = max;
  let fastestMs = Number.POSITIVE_INFINITY;
  let mostWaiting = 0;
  let intervalStart = now();

  return {
    current: () => limit,
    observe(durationMs) {
      fastestMs = Math.min(fastestMs, durationMs);
      mostWaiting = Math.max(mostWaiting, waiting());
      if (now() - intervalStart < INTERVAL_MS) return;
      const isQueueing = fastestMs > TARGET_MS && mostWaiting > min;
      limit = isQueueing ? Math.max(min, Math.floor(limit * FACTOR_DOWN)) : Math.min(max, limit + STEP_UP);
      fastestMs = Number.POSITIVE_INFINITY;
      mostWaiting = 0;
      intervalStart = now();
    },
  };
}
