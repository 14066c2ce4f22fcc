/**
 * The longest time from the end of an attempt to the start of the next one, even with `Retry-After`. Seconds. It can be
 * longer if other attempts to the same receiver wait for a reply.
 */
export const MAX_RETRY_SECONDS = 600;
export const MAX_RETRIES = 5;

/** A due retry starts within this time, unless other attempts to the receiver wait for a reply. Milliseconds. */
const MAX_START_DELAY_MS = 10_000;
const MAX_PAUSE_MS = MAX_RETRY_SECONDS * 1000 - MAX_START_DELAY_MS;
const JITTER = 0.2;
/** Statuses whose `Retry-After` counts. */
const RETRY_AFTER_STATUSES = new Set<number | undefined>([429, 503]);

export interface RetrySchedule {
  /**
   * Returns the pause after an attempt, in milliseconds. Undefined after the last attempt. `Retry-After` of a 429 or
   * 503 can only extend the pause, to ten minutes at most.
   *
   * @param attempt counted from 1
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

/** Adds ±20 % jitter, so that retries after an outage are spread. */
export function createRetrySchedule({ seconds, random, clock }: Options): RetrySchedule {
  return {
    delayAfter(attempt, { statusCode, retryAfter }) {
      const pause = seconds[attempt - 1];
      if (pause === undefined) return undefined;
      const spread = pause * 1000 * (1 - JITTER + 2 * JITTER * random());
      const requested = RETRY_AFTER_STATUSES.has(statusCode) ? parseRetryAfter(retryAfter ?? '', clock()) : 0;
      return Math.round(Math.min(Math.max(spread, requested), MAX_PAUSE_MS));
    },
  };
}

/** Parses `Retry-After` (RFC 9110, 10.2.3): seconds or an HTTP date. Returns milliseconds from now, 0 if invalid. */
export function parseRetryAfter(value: string, now: Date): number {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const time = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : Math.max(0, time - now.getTime());
}
