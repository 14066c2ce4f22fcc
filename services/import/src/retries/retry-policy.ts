import { setTimeout as delay } from 'node:timers/promises';
import type { AppError } from '@survey/runtime/errors/app-error';
import type { ErrorCode } from '@survey/runtime/errors/error-codes';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import { retry } from '@survey/runtime/flow/retry';

/**
 * Calls an operation of an import, and retries transient errors for a limited time. Returns the result, the last error,
 * or undefined if this process should not continue the import.
 */
export type Retry = <T>(operation: () => Promise<T>) => Promise<T | AppError | undefined>;

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
/** Errors that a retry can resolve. `INTERNAL` stands for unexpected errors, which may not occur again. */
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

  return async (operation) => {
    let failingSince: number | undefined;
    const ended = await retry(operation, {
      backoff: BACKOFF,
      isStopped: () => !shouldContinue(),
      shouldRetry(error) {
        failingSince ??= now();
        if (!isTransient(toAppError(error))) return false;
        // Return true, so that `retry` reports that the import was stopped, not that the operation failed.
        if (!shouldContinue()) return true;
        return now() - failingSince < retryForMs;
      },
      pause,
    });
    if (ended.kind === 'done') return ended.value;
    return ended.kind === 'failed' ? toAppError(ended.error) : undefined;
  };
}
