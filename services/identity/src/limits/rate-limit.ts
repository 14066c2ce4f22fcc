import { partOf } from '@survey/runtime/limits/part-of';

/** A tenant's requests of one class of routes in a minute. */
export interface RateLimit {
  readonly routeClass: string;
  readonly requestsPerMinute: number;
}

/** What was leased of a limit, and what is left of it. */
export interface TokenLease {
  readonly granted: number;
  readonly remaining: number;
  /** How soon there are more, in milliseconds. */
  readonly moreAfterMs: number;
}

/** The part of a tenant's requests that may be of one class: at least one. */
export function toRateLimit(routeClass: string, percent: number, requestsPerMinute: number): RateLimit {
  return { routeClass, requestsPerMinute: partOf(requestsPerMinute, percent) };
}
