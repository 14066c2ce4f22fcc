import type { Settlement } from './delivery.ts';

/** How a webhook has done lately, as one process knows it. */
export interface Standing {
  /** How many attempts it may have at a time. Begins with one, and doubles with each delivery. */
  readonly limit: number;
  readonly pace: Pace;
  /** Points for failures in a row: one for a bad status, more where there was no answer at all. */
  readonly points: number;
  /** The revision of the webhook that this is about; a changed webhook begins anew. */
  readonly revision: number | undefined;
  readonly breaker: Breaker | undefined;
}

/** Whether its last attempt took long, or runs for long already; `unknown` before there was one. */
export type Pace = 'unknown' | 'prompt' | 'slow';

/** A breaker that is open. What is new waits; a retry whose time has come goes out, and is a probe too. */
export interface Breaker {
  /** From when on one that is new may be sent, to see. Milliseconds since 1970. */
  readonly until: number;
  /** How long it was opened for, last. Milliseconds. */
  readonly pauseMs: number;
}

export type Outcome = 'delivered' | 'bad_status' | 'no_answer';

export const UNKNOWN: Standing = { limit: 1, pace: 'unknown', points: 0, revision: undefined, breaker: undefined };

/** An attempt that runs for longer does not count against the fast places any more. Milliseconds. */
export const SLOW_MS = 250;
const POINTS: Readonly<Record<Outcome, number>> = { delivered: 0, bad_status: 1, no_answer: 2 };
const OPENS_AT = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

/** The standing after an attempt. */
export function after(
  before: Standing,
  { outcome, ms, now, maxLimit }: { outcome: Outcome; ms: number; now: number; maxLimit: number },
): Standing {
  const pace = ms > SLOW_MS ? 'slow' : 'prompt';
  if (outcome === 'delivered') {
    return { ...before, limit: Math.min(maxLimit, before.limit * 2), pace, points: 0, breaker: undefined };
  }
  const points = before.points + POINTS[outcome];
  const limit = outcome === 'no_answer' ? 1 : Math.max(1, Math.floor(before.limit / 2));
  const breaker = points >= OPENS_AT ? openedAgain(before.breaker, now) : undefined;
  return { ...before, limit, pace, points, breaker };
}

/** The breaker while somebody probes, or after that failed: open for twice as long as before. */
export function openedAgain(before: Breaker | undefined, now: number): Breaker {
  const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before.pauseMs * 2, MAX_PAUSE_MS);
  return { until: now + pauseMs, pauseMs };
}

/** What an attempt says of the webhook; undefined when there was none. */
export function outcomeOf({ status, attempt }: Settlement): Outcome | undefined {
  if (attempt === undefined) return undefined;
  if (status === 'delivered') return 'delivered';
  return attempt.statusCode === undefined ? 'no_answer' : 'bad_status';
}
