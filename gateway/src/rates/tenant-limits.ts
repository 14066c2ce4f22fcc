import type { Quota } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { maxEntries } from '@survey/runtime/flow/memoize';
import { rateLimitHeaders, toRateLimit, toRateLimitPolicy } from '@survey/runtime/rest/problem';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { LimitMetrics } from './limit-metrics.ts';
import { limitingClassesOf, type RouteClass, shareOf } from './route-class.ts';
import { createTokenLease, type LeaseTokens, type TokenLease } from './token-lease.ts';

/** Rate limits and concurrency limits of tenants. */
export interface TenantLimits {
  /**
   * Admits a request until its response closes, and sets the rate limit headers. Throws `TOO_MANY_REQUESTS`. Returns
   * a promise only if tokens must be leased first.
   */
  enter(tenantId: string, routeClass: RouteClass, response: Response): void | Promise<void>;
}

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
  /** The rate limits that apply to a request of a class. */
  readonly rates: Readonly<Record<RouteClass, readonly Rate[]>>;
  readonly concurrency: ConcurrencyLimit;
  concurrentRequests: number;
}

/** Maximum number of tenants in memory. The limits of an evicted tenant come from identity again. */
const CAPACITY = 20_000;

export function createTenantLimits({ lease, platform, metrics, now }: Options): TenantLimits {
  const tenants = new LRUCache<string, Tenant>(maxEntries(CAPACITY));

  function addTenant(tenantId: string): Tenant {
    const rateOf = (routeClass: RouteClass): Rate => ({
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
    const rates = { default: rateOf('default'), heavy: rateOf('heavy') };
    const ratesOf = (routeClass: RouteClass) => limitingClassesOf(routeClass).map((limited) => rates[limited]);
    const tenant: Tenant = {
      rates: { default: ratesOf('default'), heavy: ratesOf('heavy') },
      concurrency: createConcurrencyLimit(),
      concurrentRequests: platform.concurrentRequests,
    };
    tenants.set(tenantId, tenant);
    return tenant;
  }

  function acquireSlot(tenant: Tenant, routeClass: RouteClass, response: Response): void {
    const { concurrency, concurrentRequests } = tenant;
    const reached = concurrency.tryAcquire(routeClass, concurrentRequests);
    if (reached !== undefined) {
      giveBack(tenant.rates[routeClass]);
      metrics.rejected('tenant_concurrency', routeClass);
      const name = reached.routeClass === 'default' ? 'concurrent' : `concurrent-${reached.routeClass}`;
      throw quotaExceeded(concurrencyQuota(name, reached.max));
    }
    response.once('close', () => concurrency.release(routeClass));
  }

  /** Takes a token from each rate limit starting at `index`, or none at all. */
  function takeTokens(rates: readonly Rate[], index = 0): void | Promise<void> {
    const rate = rates[index];
    if (rate === undefined) return undefined;
    const finish = (isTaken: boolean) => {
      if (isTaken) return takeTokens(rates, index + 1);
      giveBack(rates.slice(0, index));
      metrics.rejected('tenant_rate', rates.at(-1)?.routeClass ?? rate.routeClass);
      throw quotaExceeded(quotaOf(rate), rate.tokens.secondsToMore() * 1_000);
    };
    const taken = rate.tokens.take();
    return typeof taken === 'boolean' ? finish(taken) : taken.then(finish);
  }

  /**
   * Admits a request that has its tokens. The slot comes last, because identity sends the concurrency limit with the
   * tokens.
   */
  function admit(tenant: Tenant, routeClass: RouteClass, response: Response): void {
    // The response is already closed, so no `close` event would release the slot.
    if (response.destroyed) return;
    acquireSlot(tenant, routeClass, response);
    setRateHeaders(tenant.rates[routeClass], response);
  }

  return {
    enter(tenantId, routeClass, response) {
      if (response.destroyed) return undefined;
      const tenant = tenants.get(tenantId) ?? addTenant(tenantId);
      const waiting = takeTokens(tenant.rates[routeClass]);
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

/** Limits the requests of one tenant that run at a time in this gateway. */
interface ConcurrencyLimit {
  /**
   * Acquires a slot for a request, or returns the limit that it would exceed.
   *
   * @param max concurrent requests of all classes
   */
  tryAcquire(routeClass: RouteClass, max: number): ReachedLimit | undefined;
  release(routeClass: RouteClass): void;
}

interface ReachedLimit {
  readonly routeClass: RouteClass;
  readonly max: number;
}

function createConcurrencyLimit(): ConcurrencyLimit {
  const running: Record<RouteClass, number> = { default: 0, heavy: 0 };

  return {
    tryAcquire(routeClass, max) {
      const limitingClasses = limitingClassesOf(routeClass);
      for (const limitingClass of limitingClasses) {
        const share = shareOf(limitingClass, max);
        if (running[limitingClass] >= share) return { routeClass: limitingClass, max: share };
      }
      for (const limitingClass of limitingClasses) running[limitingClass] += 1;
      return undefined;
    },

    release(routeClass) {
      for (const limitingClass of limitingClassesOf(routeClass)) running[limitingClass] -= 1;
    },
  };
}
