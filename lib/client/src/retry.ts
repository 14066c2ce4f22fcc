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

/** Statuses of errors after which the same request can succeed. 0: there was no reply. */
const TEMPORARY = [429, 503, 0, 502, 504];

/** Whether the same request can succeed later. */
export function isTemporary(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !TEMPORARY.includes(error.status)) return false;
  // A redirect in a browser.
  return !(error.status === 0 && error.code === 'UNEXPECTED_REPLY');
}

/**
 * Whether the platform may have carried out the failed request. A 503 does not rule this out: the platform also sends
 * it if it loses a service during the request.
 */
function isOutcomeUnknown({ status, code }: ApiError): boolean {
  return status !== 429 && code !== 'OVERLOADED';
}

/**
 * Runs attempts of a request until one succeeds, fails for good, or was the last one.
 *
 * @param attempt gets whether the platform may have carried out an earlier attempt
 */
export async function retry<T>(attempt: (mayBeDone: boolean) => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { maxRetries, maxRetryWaitMs, signal } = policy;
  let mayBeDone = false;
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(mayBeDone);
    } catch (error) {
      if (retries >= maxRetries || !isRetried(error, policy)) throw error;
      if ((error.retryAfterSeconds ?? 0) * 1000 > maxRetryWaitMs) throw error;
      await sleep(Math.min(maxRetryWaitMs, waitBefore(retries, error)), signal);
      mayBeDone ||= isOutcomeUnknown(error);
    }
  }
}

function isRetried(error: unknown, { isRepeatable }: RetryPolicy): error is ApiError {
  return isTemporary(error) && (isRepeatable || asksForRepeat(error));
}

/**
 * Whether the platform asks for a repeat. A 503 of a proxy does not count: the platform may have carried out the
 * request.
 */
function asksForRepeat({ status, code }: ApiError): boolean {
  return status === 429 || (status === 503 && code !== 'UNEXPECTED_REPLY');
}

/** `Retry-After` or exponential backoff, each with jitter. */
function waitBefore(retries: number, { retryAfterSeconds }: ApiError): number {
  if (retryAfterSeconds !== undefined)
    return retryAfterSeconds * 1000 + Math.random() * Math.min(MAX_JITTER_MS, retryAfterSeconds * 100);
  return Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}
