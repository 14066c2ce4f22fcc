import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { retry } from '@survey/runtime/flow/retry';

/**
 * Calls an operation until it succeeds. Transient errors are retried; returns the last error, or undefined if the
 * import was stopped here.
 */
export type Retry = <T>(make: () => Promise<T>) => Promise<T | AppError | undefined>;

interface Options {
  /** Time during which a failing operation is retried, in milliseconds. */
  readonly retryForMs: number;
  /** Checked before each attempt and during pauses. */
  readonly shouldContinue: () => boolean;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const BACKOFF = { firstMs: 100, maxMs: 10_000 };
const POLL_MS = 250;
/** Errors that a retry can resolve. */
const TRANSIENT: readonly ErrorCode[] = [
  'UNAVAILABLE',
  'OVERLOADED',
  'DEADLINE_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
];

export function isTransient({ code }: AppError): boolean {
  return TRANSIENT.includes(code);
}

export function createRetry({ retryForMs, shouldContinue, now }: Options): Retry {
  async function pause(ms: number): Promise<void> {
    const until = now() + ms;
    for (let left = ms; left > 0 && shouldContinue(); left = until - now()) await delay(Math.min(left, POLL_MS));
  }

  return async (make) => {
    let failingSince: number | undefined;
    const ended = await retry(make, {
      backoff: BACKOFF,
      isStopped: () => !shouldContinue(),
      shouldRetry(error) {
        failingSince ??= now();
        const isOver = shouldContinue() && now() - failingSince >= retryForMs;
        return isTransient(toAppError(error)) && !isOver;
      },
      pause,
    });
    if (ended.kind === 'done') return ended.value;
    return ended.kind === 'failed' ? toAppError(ended.error) : undefined;
  };
}
