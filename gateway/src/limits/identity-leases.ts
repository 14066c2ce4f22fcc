import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import { TIMEOUT_MS } from '../authentication/ask-identity.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { percentOf, type RouteClass } from './route-class.ts';
import type { Leased } from './token-lease.ts';

/** What is leased of a tenant's limit, and what else identity tells of it. */
interface TenantLease extends Leased {
  /** Of a tenant that has a limit of its own. */
  readonly concurrentRequests: number | undefined;
}

/** Leases tokens for a tenant's requests of a class. Rejects when identity cannot tell, and soon. */
export type LeaseTokens = (tenantId: string, routeClass: RouteClass, wanted: number) => Promise<TenantLease>;

interface Options {
  readonly identity: ServiceConnection;
  /** Of tenants that have no limit of their own. */
  readonly requestsPerMinute: number;
  readonly metrics: LimitMetrics;
  readonly now: () => number;
  readonly log: Logger;
}

/** So many failures in a row are no single slow write any more. */
const ENOUGH_FAILURES = 2;
/** How long nobody waits for another one then. */
const PAUSE_MS = 1_000;

export function createIdentityLeases(options: Options): LeaseTokens {
  const { identity, requestsPerMinute, metrics, now, log } = options;
  const client = identity.client(RateLimitService);
  let [failures, pausedUntil] = [0, 0];

  return async (tenantId, routeClass, wanted) => {
    if (now() < pausedUntil) throw new Error('identity could not tell a moment ago');
    const request = {
      routeClass,
      platformRequestsPerMinute: requestsPerMinute,
      percent: percentOf[routeClass],
      wanted,
    };
    try {
      const onBehalf = withOnBehalf({ subject: { tenantId } });
      const leased = await client.leaseTokens(request, { ...onBehalf, timeoutMs: TIMEOUT_MS });
      failures = 0;
      return { ...leased, concurrentRequests: leased.concurrentRequests };
    } catch (error) {
      if (isAway(error)) failures += 1;
      if (failures >= ENOUGH_FAILURES) pausedUntil = now() + PAUSE_MS;
      metrics.leaseFailed();
      log.warn({ err: error }, 'identity cannot lease tokens, the gateway limits tenants by itself');
      throw error;
    }
  };
}

/** Whether identity gave no answer at all: others would wait as long for none. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'DEADLINE_EXCEEDED' || error.reason === 'UNAVAILABLE');
}
