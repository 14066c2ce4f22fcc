import { ApiError } from './api-error.ts';
import { sleep } from './sleep.ts';

/** Rules for repeating a request. */
export interface RetryPolicy {
  readonly maxRetries: number;
  readonly maxRetryWaitMs: number;
  /** Whether the request can be repeated although the platform may have carried it out. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_WAIT_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const MAX_JITTER_MS = 1_000;

/** Statuses of requests that the platform did not carry out. */
const REJECTED = [429, 503];
/** Statuses of requests that the platform may have carried out: no reply at all, or the gateway got none. */
const UNKNOWN_OUTCOME = [0, 502, 504];

/** Whether the same request can succeed later. */
export function isTemporary(error: unknown): error is ApiError {
  return error instanceof ApiError && [...REJECTED, ...UNKNOWN_OUTCOME].includes(error.status);
}

/** Whether the platform may have carried out a request that failed so. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && UNKNOWN_OUTCOME.includes(error.status);
}

/**
 * Runs attempts of a request until one succeeds, fails for good, or was the last one.
 *
 * @param attempt gets the error of the previous attempt
 */
export async function retry<T>(attempt: (previous: unknown) => Promise<T>, policy: RetryPolicy): Promise<T> {
  let previous: unknown;
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(previous);
    } catch (error) {
      if (retries >= policy.maxRetries || !isRetried(error, policy)) throw error;
      const waitMs = waitBefore(retries, error);
      if (waitMs > policy.maxRetryWaitMs) throw error;
      await sleep(waitMs, policy.signal);
      previous = error;
    }
  }
}

function isRetried(error: unknown, { isRepeatable }: RetryPolicy): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return REJECTED.includes(error.status) || (isRepeatable && isOutcomeUnknown(error));
}

/** `Retry-After` or exponential backoff, each with jitter. */
function waitBefore(retries: number, { retryAfterSeconds }: ApiError): number {
  if (retryAfterSeconds !== undefined)
    return retryAfterSeconds * 1000 + Math.random() * Math.min(MAX_JITTER_MS, retryAfterSeconds * 100);
  return Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}
