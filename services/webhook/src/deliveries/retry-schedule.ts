/** From the end of an attempt to the beginning of the next one, whatever is configured or a receiver says. Seconds. */
export const MAX_RETRY_SECONDS = 600;
export const MAX_RETRIES = 5;

/** The longest time from the due time of a retry to its start. */
const BEGIN_MS = 10_000;
const MAX_MS = MAX_RETRY_SECONDS * 1000 - BEGIN_MS;
const JITTER = 0.2;
/** "Too many requests" and "unavailable": the receiver knows best when it can take more. */
const WAIT_STATUSES = new Set<number | undefined>([429, 503]);

export interface RetrySchedule {
  /**
   * How long to wait after the given attempt, counted from 1, in milliseconds; undefined when it was the last one.
   * `Retry-After` of a 429 or 503 makes it longer, never shorter, and nothing makes it longer than ten minutes, less
   * the time to begin in.
   */
  delayAfter(
    attempt: number,
    reply: { statusCode?: number | undefined; retryAfter?: string | undefined },
  ): number | undefined;
}

interface Options {
  /** The pauses after the first, second, … attempt. */
  readonly seconds: readonly number[];
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly clock: () => Date;
}

/** Spreads retries by ±20 %, so that those of one outage do not come back at one time. */
export function createRetrySchedule({ seconds, random, clock }: Options): RetrySchedule {
  return {
    delayAfter(attempt, { statusCode, retryAfter }) {
      const pause = seconds[attempt - 1];
      if (pause === undefined) return undefined;
      const spread = pause * 1000 * (1 - JITTER + 2 * JITTER * random());
      const wished = WAIT_STATUSES.has(statusCode) ? parseRetryAfter(retryAfter ?? '', clock()) : 0;
      return Math.round(Math.min(Math.max(spread, wished), MAX_MS));
    },
  };
}

/** `Retry-After` (RFC 9110, 10.2.3: seconds or an HTTP date) in milliseconds from now; 0 for what is neither. */
export function parseRetryAfter(value: string, now: Date): number {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const time = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : Math.max(0, time - now.getTime());
}
