import type { Settlement } from './delivery.ts';

/** Health of the receiver of a webhook, as one process knows it. */
export interface ReceiverHealth {
  /** Concurrency limit. It starts at 1 and doubles with each successful attempt. */
  readonly concurrency: number;
  readonly latency: LatencyClass;
  /** Increases with each consecutive failure: by 1 for a bad status, by 2 without a reply. */
  readonly failureScore: number;
  /** The revision of the webhook. The health of a changed webhook is unknown. */
  readonly revision: number | undefined;
  readonly breaker: Breaker | undefined;
}

/**
 * `unknown` before the first attempt. `slow` if the last attempt took longer than `SLOW_MS`, or already runs for
 * longer.
 */
export type LatencyClass = 'unknown' | 'fast' | 'slow';

/** An open circuit breaker. New deliveries wait. Retries are sent when due, and are probes too. */
export interface Breaker {
  /** From then on a new delivery may be sent as a probe. Milliseconds since 1970. */
  readonly until: number;
  /** The last pause of the breaker. Milliseconds. */
  readonly pauseMs: number;
}

export type Outcome = 'delivered' | 'bad_status' | 'no_reply';

export const UNKNOWN_HEALTH: ReceiverHealth = {
  concurrency: 1,
  latency: 'unknown',
  failureScore: 0,
  revision: undefined,
  breaker: undefined,
};

/** An attempt that takes longer moves from a fast slot to a slow one. Milliseconds. */
export const SLOW_MS = 250;
const FAILURE_SCORES: Readonly<Record<Outcome, number>> = { delivered: 0, bad_status: 1, no_reply: 2 };
const OPEN_AT_SCORE = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

export function healthAfter(
  before: ReceiverHealth,
  { outcome, ms, now, maxConcurrency }: { outcome: Outcome; ms: number; now: number; maxConcurrency: number },
): ReceiverHealth {
  const latency = ms > SLOW_MS ? 'slow' : 'fast';
  if (outcome === 'delivered') {
    const concurrency = Math.min(maxConcurrency, before.concurrency * 2);
    return { ...before, concurrency, latency, failureScore: 0, breaker: undefined };
  }
  const failureScore = before.failureScore + FAILURE_SCORES[outcome];
  const concurrency = outcome === 'no_reply' ? 1 : Math.max(1, Math.floor(before.concurrency / 2));
  const breaker = failureScore >= OPEN_AT_SCORE ? openedBreaker(before.breaker, now) : undefined;
  return { ...before, concurrency, latency, failureScore, breaker };
}

/** Opens the breaker, after a failed probe for twice as long as before. */
export function openedBreaker(before: Breaker | undefined, now: number): Breaker {
  const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, MAX_PAUSE_MS);
  return { until: now + pauseMs, pauseMs };
}

/** The outcome for the health of the receiver. Undefined without an attempt. */
export function outcomeOf({ status, attempt }: Settlement): Outcome | undefined {
  if (attempt === undefined) return undefined;
  if (status === 'delivered') return 'delivered';
  return attempt.statusCode === undefined ? 'no_reply' : 'bad_status';
}
