import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import { IDENTITY_TIMEOUT_MS } from '../authentication/identity-permissions.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { percentByClass, type RouteClass } from './route-class.ts';

/** Identity's reply to a lease request, with the state of the rate limit. */
export interface LeaseReply {
  /** Tokens for this gateway: at most as many as requested. */
  readonly granted: number;
  /** Tokens that no gateway has leased. */
  readonly remaining: number;
  readonly requestsPerMinute: number;
  /** Milliseconds until more tokens are available. */
  readonly moreAfterMs: number;
}

/** The unused tokens that this gateway has leased from a rate limit of a tenant. A token admits one request. */
export interface TokenLease {
  /** Takes a token; false if there is none. Returns a promise only if tokens must be leased; it never rejects. */
  take(): boolean | Promise<boolean>;
  /** Gives back the token of a request that another limit has rejected. */
  giveBack(): void;
  /** The rate limit, as identity last reported it. */
  requestsPerMinute(): number;
  /** Tokens left in this gateway, and in identity as it last reported. */
  remaining(): number;
  /** Seconds until more tokens are available, at least 1. */
  secondsToMore(): number;
}

interface Options {
  /** Leases tokens from identity. Rejects if identity fails. */
  readonly lease: (count: number) => Promise<LeaseReply>;
  /** The rate limit until identity has replied once. */
  readonly requestsPerMinute: number;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
/** Lifetime of leased tokens. Identity counts them as used for at most a second longer. */
const TOKEN_LIFETIME_MS = MINUTE_MS;
/** Maximum interval of lease requests under load. Their replies also report a changed limit. */
const REFRESH_MS = 3_000;
/** Tokens are leased ahead for this time, at the recent rate of requests. */
const LEASE_AHEAD_MS = 1_000;
/** Minimum and maximum number of tokens to hold, as a share of the tokens of a minute. */
const [MIN_SHARE, MAX_SHARE] = [1 / 200, 1 / 60];
/** Pause after a lease of fewer tokens than requested. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 2_000];
/** Interval of lease requests in standalone mode. */
const STANDALONE_RETRY_MS = 1_000;

/**
 * Leases tokens about a second ahead, so that requests rarely wait for identity. No other gateway can use these tokens,
 * so all gateways together enforce the limit.
 *
 * While identity fails, the gateway is in standalone mode: it grants itself tokens at the rate of the limit. So each
 * gateway alone admits as many requests as the limit allows.
 */
export function createTokenLease({ lease, requestsPerMinute, now }: Options): TokenLease {
  /** The rate limit, as identity last reported it. */
  let limit: Omit<LeaseReply, 'granted' | 'moreAfterMs'> = { requestsPerMinute, remaining: 0 };
  /** Tokens left, and the time at which they expire. In standalone mode, new tokens replace them. */
  let [tokens, tokensExpireAt] = [0, 0];
  /** The time of the next tokens, as reported to clients. */
  let moreTokensAt = 0;
  /** Until this time, requests without a token are rejected. After it, they wait for a lease. */
  let rejectUntil = 0;
  /** Time of the last lease request, and the number of tokens at which it aimed. */
  let [leasedAt, targetTokens] = [now(), 1];
  /** Requests since the last lease request. Their rate determines the size of the next lease. */
  let requestsSinceLease = 0;
  /** Requests that wait for the reply to a lease request. */
  let waiting = 0;
  let isStandalone = false;

  /** The tokens for the next second at the recent rate, within limits. At least one for each waiting request. */
  function nextTarget(time: number): number {
    // Over a shorter time, a few requests would look like a high rate.
    const elapsedMs = Math.max(time - leasedAt, LEASE_AHEAD_MS / 10);
    const forecast = Math.ceil((requestsSinceLease * LEASE_AHEAD_MS) / elapsedMs);
    const tokensOf = (share: number) => Math.ceil(limit.requestsPerMinute * share);
    return Math.max(waiting, tokensOf(MIN_SHARE), Math.min(tokensOf(MAX_SHARE), forecast));
  }

  function accept({ granted, moreAfterMs, ...reported }: LeaseReply, requested: number): void {
    const time = now();
    // Drop expired tokens, and tokens that the gateway granted itself.
    tokens = isStandalone || time >= tokensExpireAt ? granted : tokens + granted;
    // The lifetime begins at the request, so tokens expire here before identity returns them. Earlier tokens are few,
    // and get the same expiry.
    if (granted > 0) tokensExpireAt = leasedAt + TOKEN_LIFETIME_MS;
    isStandalone = false;
    limit = reported;
    moreTokensAt = time + moreAfterMs;
    // Identity had fewer tokens than requested, so it has none left. Pause, so that not every request calls identity.
    const pauseMs = Math.min(Math.max(moreAfterMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
    rejectUntil = granted < requested ? time + pauseMs : time;
  }

  /** Starts or continues standalone mode. Fills up the tokens to the number for about a second, at least one. */
  function startStandalone(): void {
    isStandalone = true;
    const granted = Math.ceil(limit.requestsPerMinute * MAX_SHARE);
    tokens = Math.max(tokens, granted);
    tokensExpireAt = now() + (granted * MINUTE_MS) / limit.requestsPerMinute;
    limit = { ...limit, remaining: 0 };
    moreTokensAt = tokensExpireAt;
    rejectUntil = tokensExpireAt;
  }

  /** Starts standalone mode. If the limit was used up, rejects requests for a while instead. */
  function handleFailure(time: number): void {
    const hasOwnTokens = isStandalone && time < tokensExpireAt;
    const isUsedUp = !isStandalone && limit.remaining === 0 && time < moreTokensAt;
    if (isUsedUp) rejectUntil = Math.min(moreTokensAt, time + MAX_PAUSE_MS);
    else if (!hasOwnTokens) startStandalone();
  }

  /** Never rejects. */
  const leaseTokens = createSingleFlight(async (): Promise<void> => {
    const time = now();
    targetTokens = nextTarget(time);
    const missing = isStandalone || time >= tokensExpireAt ? targetTokens : Math.max(0, targetTokens - tokens);
    leasedAt = time;
    requestsSinceLease = 0;
    try {
      accept(await lease(missing), missing);
    } catch {
      // `lease` has logged the error.
      handleFailure(now());
    }
  });

  /** Whether to lease in the background, so that no request waits. */
  function isDue(time: number): boolean {
    if (leaseTokens.isRunning()) return false;
    if (isStandalone) return time - leasedAt >= STANDALONE_RETRY_MS;
    // Keep a quarter of the tokens for requests that arrive before the reply.
    return time >= rejectUntil && (tokens < targetTokens / 4 || time - leasedAt >= REFRESH_MS);
  }

  function takeOne(time: number): true {
    tokens -= 1;
    if (isDue(time)) void leaseTokens();
    return true;
  }

  async function takeLater(): Promise<boolean> {
    waiting += 1;
    try {
      for (;;) {
        await leaseTokens();
        if (tokens > 0) return takeOne(now());
        if (now() < rejectUntil) return false;
      }
    } finally {
      waiting -= 1;
    }
  }

  return {
    take() {
      const time = now();
      requestsSinceLease += 1;
      if (time >= tokensExpireAt) {
        tokens = 0;
        if (isStandalone) startStandalone();
      }
      if (tokens > 0) return takeOne(time);
      if (time >= rejectUntil) return takeLater();
      // Try identity again: with a small limit, the gateway may grant itself the next token much later.
      if (isStandalone && isDue(time)) void leaseTokens();
      return false;
    },

    giveBack() {
      tokens += 1;
    },

    requestsPerMinute: () => limit.requestsPerMinute,
    remaining: () => limit.remaining + tokens,
    secondsToMore: () => Math.max(1, Math.ceil((moreTokensAt - now()) / 1_000)),
  };
}

/** Tokens of a tenant's rate limit. Identity sends the tenant's concurrency limit with them, to save a call. */
interface TenantLease extends LeaseReply {
  /** Undefined if the tenant has the platform's limit. */
  readonly concurrentRequests: number | undefined;
}

/** Leases tokens for a tenant's requests of a class. Rejects soon if identity does not reply. */
export type LeaseTokens = (tenantId: string, routeClass: RouteClass, count: number) => Promise<TenantLease>;

interface IdentityLeasesOptions {
  readonly identity: ServiceConnection;
  /** Limit of tenants without a limit of their own. */
  readonly requestsPerMinute: number;
  readonly metrics: LimitMetrics;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Consecutive calls without a reply that start a pause. A single one may be a slow write of identity. */
const MAX_FAILURES = 2;
/** Pause of all lease requests after `MAX_FAILURES`. */
const PAUSE_MS = 1_000;

/** Leases tokens from identity. After `MAX_FAILURES`, it rejects immediately for a second. */
export function createIdentityLeases(options: IdentityLeasesOptions): LeaseTokens {
  const { identity, requestsPerMinute, metrics, now, log } = options;
  const client = identity.client(RateLimitService);
  let [failures, noCallsUntil] = [0, 0];

  return async (tenantId, routeClass, count) => {
    if (now() < noCallsUntil) throw new Error('identity did not reply to recent lease requests');
    const request = {
      routeClass,
      platformRequestsPerMinute: requestsPerMinute,
      percent: percentByClass[routeClass],
      wanted: count,
    };
    try {
      const onBehalf = callOptionsFor({ claims: { tenantId } });
      const leased = await client.leaseTokens(request, { ...onBehalf, timeoutMs: IDENTITY_TIMEOUT_MS });
      failures = 0;
      // A message omits an unset concurrency limit, but `TenantLease` requires the member.
      return { ...leased, concurrentRequests: leased.concurrentRequests };
    } catch (error) {
      failures = isUnreachable(error) ? failures + 1 : 0;
      if (failures >= MAX_FAILURES) noCallsUntil = now() + PAUSE_MS;
      metrics.leaseFailed();
      log.warn({ err: error }, 'cannot lease tokens from identity, limiting tenants locally');
      throw error;
    }
  };
}

/** Whether identity did not reply. */
function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'DEADLINE_EXCEEDED' || error.code === 'UNAVAILABLE');
}
