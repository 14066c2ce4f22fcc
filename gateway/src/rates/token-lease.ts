import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import { IDENTITY_TIMEOUT_MS } from '../authentication/identity-permissions.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { percentByClass, type RouteClass } from './route-class.ts';

/** Identity's reply to a lease request, and the state of the rate limit. */
export interface LeaseReply {
  /** Tokens for this gateway: at most as many as requested. */
  readonly granted: number;
  /** Tokens that no gateway has leased. */
  readonly remaining: number;
  readonly requestsPerMinute: number;
  /** Milliseconds until more tokens are available. */
  readonly moreAfterMs: number;
}

/**
 * The tokens of one rate limit of a tenant that this gateway has leased and not used. Each admits one request. Identity
 * counts the tokens of all gateways, and leases them for a minute.
 */
export interface TokenLease {
  /** Takes a token; false if there is none. Returns a promise only while leasing. It never rejects. */
  take(): boolean | Promise<boolean>;
  /** Gives back the token of a request that another limit has rejected. */
  giveBack(): void;
  /** The rate limit, as identity last reported it. */
  requestsPerMinute(): number;
  /** Tokens left, here and at identity, as last reported. */
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
/** Lifetime of leased tokens. Identity counts them as used for a second longer at most. */
const TOKEN_LIFETIME_MS = MINUTE_MS;
/** Interval of lease requests under load, so that a change of the limit takes effect. */
const REFRESH_MS = 3_000;
/** Tokens are leased ahead for this time, at the recent rate of requests. */
const LEASE_AHEAD_MS = 1_000;
/** Smallest and largest number of tokens to aim at, as a share of the tokens of a minute. */
const [MIN_SHARE, MAX_SHARE] = [1 / 200, 1 / 60];
/** Pause after a lease of fewer tokens than requested. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 2_000];
/** Interval of lease requests in standalone mode. */
const STANDALONE_RETRY_MS = 1_000;

/**
 * Leases tokens about a second ahead, so that requests rarely wait for identity. Each token belongs to one gateway, so
 * all gateways together enforce the limit. Tokens that a gateway has leased and not used are not available to
 * other gateways.
 *
 * While identity fails, the gateway is in standalone mode: it grants itself tokens at the rate of the limit. So each
 * gateway admits as much as all should together.
 */
export function createTokenLease({ lease, requestsPerMinute, now }: Options): TokenLease {
  /** The rate limit, as identity last reported it. */
  let limit: Omit<LeaseReply, 'granted' | 'moreAfterMs'> = { requestsPerMinute, remaining: 0 };
  /** Tokens left, and the time at which all expire. In standalone mode, the gateway then grants itself new ones. */
  let [tokens, tokensExpireAt] = [0, 0];
  /** The time of the next tokens, as reported to clients. */
  let moreTokensAt = 0;
  /** Until this time, requests without a token are rejected. Afterwards, they wait for a lease. */
  let rejectUntil = 0;
  /** The last lease request: its time, and the tokens that the gateway was to have after it. */
  let [leasedAt, targetTokens] = [now(), 1];
  /** Requests since the last lease request. Their rate determines the size of the next lease. */
  let requestsSinceLease = 0;
  /** Requests that wait for the reply to a lease request. */
  let waiting = 0;
  let isStandalone = false;

  /**
   * Returns the number of tokens to aim for: as many as the next second needs at the recent rate, within limits. At
   * least one for each waiting request.
   */
  function nextTarget(time: number): number {
    // Over a shorter time, a few requests would look like a high rate.
    const elapsedMs = Math.max(time - leasedAt, LEASE_AHEAD_MS / 10);
    const forecast = Math.ceil((requestsSinceLease * LEASE_AHEAD_MS) / elapsedMs);
    const tokensOf = (share: number) => Math.ceil(limit.requestsPerMinute * share);
    return Math.max(waiting, tokensOf(MIN_SHARE), Math.min(tokensOf(MAX_SHARE), forecast));
  }

  function accept({ granted, moreAfterMs, ...reported }: LeaseReply, requested: number): void {
    const time = now();
    // Expired tokens, and those that the gateway granted itself, are of no use now.
    tokens = isStandalone || time >= tokensExpireAt ? granted : tokens + granted;
    // Identity counts these tokens as used from a time after `leasedAt`, so they expire here first. The few tokens left
    // from earlier leases get the same expiry.
    if (granted > 0) tokensExpireAt = leasedAt + TOKEN_LIFETIME_MS;
    isStandalone = false;
    limit = reported;
    moreTokensAt = time + moreAfterMs;
    // With fewer tokens than requested, identity has none left: it must not be asked for every request.
    const pauseMs = Math.min(Math.max(moreAfterMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
    rejectUntil = granted < requested ? time + pauseMs : time;
  }

  /** Starts or continues standalone mode with the tokens of about a second, at least one. Leased tokens count, too. */
  function startStandalone(): void {
    isStandalone = true;
    const granted = Math.ceil(limit.requestsPerMinute * MAX_SHARE);
    tokens = Math.max(tokens, granted);
    tokensExpireAt = now() + (granted * MINUTE_MS) / limit.requestsPerMinute;
    limit = { ...limit, remaining: 0 };
    moreTokensAt = tokensExpireAt;
    rejectUntil = tokensExpireAt;
  }

  /**
   * Starts standalone mode. But if identity last reported that the limit is used up, requests are rejected until more
   * tokens are due.
   */
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
      // `lease` logs errors of identity. After failures, it rejects for a while without calling identity.
      handleFailure(now());
    }
  });

  /** Whether to lease in the background, so that no request waits. */
  function isDue(time: number): boolean {
    if (leaseTokens.isRunning()) return false;
    if (isStandalone) return time - leasedAt >= STANDALONE_RETRY_MS;
    // A quarter of the tokens is for requests that come before the reply.
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
      // Try identity again: with a small limit, it may recover long before the gateway grants itself the next token.
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
  /** Limit of tenants that have none of their own. */
  readonly requestsPerMinute: number;
  readonly metrics: LimitMetrics;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Consecutive calls without a reply before a pause. A single one may be a slow write of identity. */
const MAX_FAILURES = 2;
/** Minimum pause before the next lease request. */
const PAUSE_MS = 1_000;

/** Calls identity for tokens. After several calls without a reply, it rejects at once for a second. */
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

/** Whether identity did not reply. Further calls could take as long as the timeout. */
function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'DEADLINE_EXCEEDED' || error.code === 'UNAVAILABLE');
}
