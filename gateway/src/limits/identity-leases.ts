import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import { IDENTITY_TIMEOUT_MS } from '../authentication/ask-identity.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { percentByClass, type RouteClass } from './route-class.ts';
import type { LeaseReply } from './token-lease.ts';

/** Tokens of a tenant's rate limit, with the tenant's concurrency limit. */
interface TenantLease extends LeaseReply {
  /** Undefined if the tenant has the platform's limit. */
  readonly concurrentRequests: number | undefined;
}

/** Leases tokens for a tenant's requests of a class. Rejects soon if identity does not reply. */
export type LeaseTokens = (tenantId: string, routeClass: RouteClass, count: number) => Promise<TenantLease>;

interface Options {
  readonly identity: ServiceConnection;
  /** Limit of tenants that have none of their own. */
  readonly requestsPerMinute: number;
  readonly metrics: LimitMetrics;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Consecutive timeouts before a pause. A single one may be a slow write. */
const MAX_TIMEOUTS = 2;
/** Minimum pause before the next lease request. */
const PAUSE_MS = 1_000;

export function createIdentityLeases(options: Options): LeaseTokens {
  const { identity, requestsPerMinute, metrics, now, log } = options;
  const client = identity.client(RateLimitService);
  let [timeouts, pausedUntil] = [0, 0];

  return async (tenantId, routeClass, count) => {
    if (now() < pausedUntil) throw new Error('identity did not reply to recent lease requests');
    const request = {
      routeClass,
      platformRequestsPerMinute: requestsPerMinute,
      percent: percentByClass[routeClass],
      wanted: count,
    };
    try {
      const onBehalf = withOnBehalf({ claims: { tenantId } });
      const leased = await client.leaseTokens(request, { ...onBehalf, timeoutMs: IDENTITY_TIMEOUT_MS });
      timeouts = 0;
      // If the limit is not set, the message has no member for it. But `TenantLease` requires the member.
      return { ...leased, concurrentRequests: leased.concurrentRequests };
    } catch (error) {
      timeouts = isUnreachable(error) ? timeouts + 1 : 0;
      if (timeouts >= MAX_TIMEOUTS) pausedUntil = now() + PAUSE_MS;
      metrics.leaseFailed();
      log.warn({ err: error }, 'cannot lease tokens from identity, limiting tenants locally');
      throw error;
    }
  };
}

/** Whether identity did not reply in time. Further requests would have to wait for the same timeout. */
function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'DEADLINE_EXCEEDED' || error.code === 'UNAVAILABLE');
}
