import type { Quota } from '../errors/app-error.ts';

/** Names of the headers, as `node:http` has them. */
export const rateLimitHeaders = { policy: 'ratelimit-policy', limit: 'ratelimit' } as const;

/** The value of `RateLimit-Policy` for a quota: draft-ietf-httpapi-ratelimit-headers-11, section 3. */
export function toRateLimitPolicy({ name, requests, windowSeconds }: Quota): string {
  const what = windowSeconds === undefined ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return `"${name}";q=${requests};${what}`;
}

/**
 * The value of `RateLimit` for a quota: section 4 of the draft.
 *
 * @param remaining requests that are left
 * @param seconds how long they have to last
 */
export function toRateLimit({ name }: Quota, remaining: number, seconds: number): string {
  return `"${name}";r=${remaining};t=${seconds}`;
}
