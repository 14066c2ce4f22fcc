import type { Quota } from '../errors/app-error.ts';

/** Header names in lower case, as in `node:http`. */
export const rateLimitHeaders = { policy: 'ratelimit-policy', limit: 'ratelimit' } as const;

/** Value of `RateLimit-Policy` for a quota: draft-ietf-httpapi-ratelimit-headers-11, section 3. */
export function toRateLimitPolicy({ name, requests, windowSeconds }: Quota): string {
  const parameter = windowSeconds === undefined ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return `"${name}";q=${requests};${parameter}`;
}

/**
 * Value of `RateLimit` for a quota: section 4 of the draft.
 *
 * @param remaining remaining requests
 * @param seconds time until the quota is reset
 */
export function toRateLimit({ name }: Quota, remaining: number, seconds: number): string {
  return `"${name}";r=${remaining};t=${seconds}`;
}
