import type { Quota } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { rateLimitHeaders, toRateLimit, toRateLimitPolicy } from '@survey/runtime/rest/problem';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { LimitMetrics } from './limit-metrics.ts';
import { limitingClassesOf, type RouteClass, shareOf } from './route-class.ts';
import { createTokenLease, type LeaseTokens, type TokenLease } from './token-lease.ts';

export type TenantLimits = ReturnType<typeof createTenantLimits>;

interface Options {
  readonly lease: LeaseTokens;
  /** Default limits of tenants. The concurrency limit applies to this gateway only. */
  readonly platform: { readonly requestsPerMinute: number; readonly concurrentRequests: number };
  readonly metrics: LimitMetrics;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

/** The rate limit of a tenant for one class of routes. */
interface Rate {
  readonly routeClass: RouteClass;
  readonly tokens: TokenLease;
}

interface Tenant {
  readonly limitingRates: Readonly<Record<RouteClass, readonly Rate[]>>;
  /** Requests that run in this gateway, by the classes that limit them. */
  readonly running: ReturnType<typeof createKeyedSemaphore<RouteClass>>;
  /** The concurrency limit, as identity last reported it. */
  concurrentRequests: number;
}

/** Maximum number of tenants in memory. An evicted tenant gets its limits from identity again, with its next tokens. */
const CAPACITY = 20_000;

/**
 * Rate limits and concurrency limits of tenants. A request needs a token of each rate limit of its class. This gateway
 * leases tokens from identity. The request also needs a slot: one of the concurrent requests of the tenant here.
 */
export function createTenantLimits({ lease, platform, metrics, now }: Options) {
  const tenants = new LRUCache<string, Tenant>(maxEntries(CAPACITY));

  function addTenant(tenantId: string): Tenant {
    const createRate = (routeClass: RouteClass): Rate => ({
      routeClass,
      tokens: createTokenLease({
        async lease(count) {
          const leased = await lease(tenantId, routeClass, count);
          tenant.concurrentRequests = leased.concurrentRequests ?? platform.concurrentRequests;
          return leased;
        },
        requestsPerMinute: shareOf(routeClass, platform.requestsPerMinute),
        now,
      }),
    });
    const rates = { default: createRate('default'), heavy: createRate('heavy') };
    const limitingRatesOf = (routeClass: RouteClass) =>
      limitingClassesOf(routeClass).map((limiting) => rates[limiting]);
    const tenant: Tenant = {
      limitingRates: { default: limitingRatesOf('default'), heavy: limitingRatesOf('heavy') },
      running: createKeyedSemaphore<RouteClass>(),
      concurrentRequests: platform.concurrentRequests,
    };
    tenants.set(tenantId, tenant);
    return tenant;
  }

  function acquireSlot(tenant: Tenant, routeClass: RouteClass, response: Response): void {
    const { running, concurrentRequests } = tenant;
    const classes = limitingClassesOf(routeClass);
    const reached = classes.find((limiting) => running.held(limiting) >= shareOf(limiting, concurrentRequests));
    if (reached !== undefined) {
      giveBack(tenant.limitingRates[routeClass]);
      metrics.rejected('tenant_concurrency', routeClass);
      const name = reached === 'default' ? 'concurrent' : `concurrent-${reached}`;
      throw quotaExceeded(concurrencyQuota(name, shareOf(reached, concurrentRequests)));
    }
    for (const limiting of classes) running.acquireOrLimit(limiting);
    response.once('close', () => {
      for (const limiting of classes) running.release(limiting);
    });
  }

  /** Takes a token from each rate limit starting at `index`. If one has no token, gives back the others and throws. */
  function takeTokens(rates: readonly Rate[], index = 0): void | Promise<void> {
    const rate = rates[index];
    if (rate === undefined) return undefined;
    const finish = (isTaken: boolean) => {
      if (isTaken) return takeTokens(rates, index + 1);
      giveBack(rates.slice(0, index));
      // The last rate limit is that of the class of the request.
      metrics.rejected('tenant_rate', rates.at(-1)?.routeClass ?? rate.routeClass);
      throw quotaExceeded(quotaOf(rate), rate.tokens.secondsToMore() * 1_000);
    };
    const taken = rate.tokens.take();
    return typeof taken === 'boolean' ? finish(taken) : taken.then(finish);
  }

  /** Admits a request that has its tokens. Identity sends the concurrency limit with the tokens. */
  function admit(tenant: Tenant, routeClass: RouteClass, response: Response): void {
    // The response is already closed, so no `close` event would release the slot. The tokens count as used.
    if (response.destroyed) return;
    acquireSlot(tenant, routeClass, response);
    setRateHeaders(tenant.limitingRates[routeClass], response);
  }

  return {
    /**
     * Admits a request until its response closes, and sets the rate limit headers. Throws `TOO_MANY_REQUESTS`. Returns
     * a promise only if tokens must be leased first, because awaiting one costs time.
     */
    enter(tenantId: string, routeClass: RouteClass, response: Response): void | Promise<void> {
      if (response.destroyed) return undefined;
      const tenant = tenants.get(tenantId) ?? addTenant(tenantId);
      const waiting = takeTokens(tenant.limitingRates[routeClass]);
      if (waiting === undefined) return admit(tenant, routeClass, response);
      return waiting.then(() => admit(tenant, routeClass, response));
    },
  };
}

function quotaOf({ routeClass, tokens }: Rate): Quota {
  return rateQuota(routeClass, tokens.requestsPerMinute());
}

function giveBack(rates: readonly Rate[]): void {
  for (const { tokens } of rates) tokens.giveBack();
}

function setRateHeaders(rates: readonly Rate[], response: Response): void {
  const limits = rates.map((rate) => toRateLimit(quotaOf(rate), rate.tokens.remaining(), rate.tokens.secondsToMore()));
  response.setHeader(rateLimitHeaders.policy, rates.map((rate) => toRateLimitPolicy(quotaOf(rate))).join(', '));
  response.setHeader(rateLimitHeaders.limit, limits.join(', '));
}
