/** Exponential backoff: each pause is twice the one before. Milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The pause after a number of failures in a row, 1 or more. Milliseconds. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}

interface RetryPolicy {
  readonly backoff: Backoff;
  /** Whether to retry after this number of failures, 1 or more. Called before each pause. */
  readonly shouldRetry: (error: unknown, failures: number) => boolean;
  /** Waits before the next try. It may end early, for example at a shutdown. */
  readonly pause: (ms: number, error: unknown) => Promise<unknown>;
  /** Checked before each try. */
  readonly isStopped: () => boolean;
}

/** The result of a retried task. `stopped`: the policy was stopped before the task succeeded. */
export type Retried<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'stopped' };

/** Runs a task until it succeeds, or until the policy gives up or is stopped. Does not reject if the task fails. */
export async function retry<T>(task: () => Promise<T>, policy: RetryPolicy): Promise<Retried<T>> {
  const { backoff, shouldRetry, pause, isStopped } = policy;
  for (let failures = 1; !isStopped(); failures += 1) {
    try {
      return { kind: 'done', value: await task() };
    } catch (error) {
      if (!shouldRetry(error, failures)) return { kind: 'failed', error };
      await pause(backoffMs(backoff, failures), error);
    }
  }
  return { kind: 'stopped' };
}

/**
 * Waits for work, but not longer than a time limit in milliseconds. At the limit, `onTimeout` gives the result or
 * throws, while the work continues in the background.
 */
export async function withTimeLimit<T>(work: Promise<T>, ms: number, onTimeout: () => T): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
