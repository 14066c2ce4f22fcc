import { percentOfLimit } from '@survey/runtime/limits/part-of';

/** The limit of a tenant for one route class. */
export interface RateLimit {
  readonly routeClass: string;
  readonly requestsPerMinute: number;
}

/** Granted tokens and the state of the limit. */
export interface TokenLease {
  readonly granted: number;
  readonly remaining: number;
  /** Milliseconds until more tokens are available. */
  readonly moreAfterMs: number;
}

/** Use of a limit in the last minute. */
export interface RateLimitUse {
  readonly routeClass: string;
  /** Undefined if the limit was not used in the last minutes. */
  readonly requestsPerMinute: number | undefined;
  /** Leased tokens. */
  readonly used: number;
}

/** The limit of a route class: a percentage of the tenant's requests, at least 1. */
export function toRateLimit(routeClass: string, percent: number, requestsPerMinute: number): RateLimit {
  return { routeClass, requestsPerMinute: percentOfLimit(requestsPerMinute, percent) };
}
