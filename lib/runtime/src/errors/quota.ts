import { AppError, type Quota } from './app-error.ts';

/** The shortest `Retry-After`, in milliseconds. */
const MIN_WAIT_MS = 1_000;

export function rateQuota(name: string, requestsPerMinute: number): Quota {
  return { name, requests: requestsPerMinute, windowSeconds: 60 };
}

export function concurrencyQuota(name: string, requests: number): Quota {
  return { name, requests, windowSeconds: undefined };
}

/**
 * `TOO_MANY_REQUESTS` for a quota that is used up. The text says "policy", as the `RateLimit-Policy` header does.
 *
 * @param waitMs time until the caller may retry, in milliseconds; less than a second counts as one
 */
export function quotaExceeded(quota: Quota, waitMs = 0): AppError {
  const { name, requests, windowSeconds } = quota;
  const per = windowSeconds === undefined ? 'at the same time' : `in ${windowSeconds} seconds`;
  const detail = `Too many requests: the policy ${name} allows ${requests} ${per}`;
  return new AppError('TOO_MANY_REQUESTS', {
    detail,
    retryAfterSeconds: Math.ceil(Math.max(waitMs, MIN_WAIT_MS) / 1_000),
    quota,
  });
}

/**
 * The error of a reached limit of concurrent work: of one caller (`key`), or of the process.
 *
 * @param busy names the running work of a caller at its limit: `searches of your tenant are running`
 */
export function concurrencyExceeded(
  reached: 'key' | 'total',
  quota: Quota,
  { busy, retryAfterSeconds }: { readonly busy: string; readonly retryAfterSeconds: number },
): AppError {
  if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds });
  const detail = `${quota.requests} ${busy}; wait for one of them`;
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds, quota });
}

/** A percentage of a limit, rounded down, at least 1. The gateway enforces the result, and identity reports it. */
export function percentOfLimit(limit: number, percent: number): number {
  return Math.max(1, Math.floor((limit * percent) / 100));
}
