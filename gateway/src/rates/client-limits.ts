import type { ServerResponse } from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { type AddressRanges, clientKeyOf, isIn } from '@survey/runtime/flow/client-address';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { createTokenBuckets } from '@survey/runtime/flow/token-buckets';
import type { Caller } from '../forwarding/forwarder.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import type { RouteClass } from './route-class.ts';

/** A client before authentication: an IPv4 address, or the /64 network of an IPv6 address. */
type Client = Caller;

export type ClientLimits = ReturnType<typeof createClientLimits>;

interface Authentication {
  readonly client: Client;
  readonly routeClass: RouteClass;
  /** Whether the same credentials were valid recently. */
  readonly wasValid: () => boolean;
}

interface Options {
  readonly publicRequestsPerMinute: number;
  readonly concurrentPublicRequests: number;
  readonly failedTokensPerMinute: number;
  /** Addresses of clients without limits. */
  readonly unlimited: AddressRanges;
  readonly metrics: LimitMetrics;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

/** Limit of concurrent authentications of one client. It bounds the guesses before the first failure counts. */
const MAX_CONCURRENT_AUTHENTICATIONS = 128;
/** The quota counts all running authentications. Its name stays, because clients know it. */
const CONCURRENT_AUTHENTICATIONS = concurrencyQuota('concurrent-failures', MAX_CONCURRENT_AUTHENTICATIONS);

/** Limits of clients by address, for requests before authentication. Methods throw `TOO_MANY_REQUESTS`. */
export function createClientLimits(options: Options) {
  const { publicRequestsPerMinute, concurrentPublicRequests, failedTokensPerMinute } = options;
  const { unlimited, metrics, now } = options;
  const requestRates = createTokenBuckets({ perMinute: publicRequestsPerMinute, now });
  const failures = createTokenBuckets({ perMinute: failedTokensPerMinute, now });
  const openRequests = createKeyedSemaphore({ perKey: concurrentPublicRequests });
  const authentications = createKeyedSemaphore({ perKey: CONCURRENT_AUTHENTICATIONS.requests });

  /** Acquires a slot for an authentication. Throws at the limit of failures or of concurrency. */
  function admit(key: string, routeClass: RouteClass, isExempt: () => boolean): void {
    const waitMs = failures.waitFor(key);
    const isOverFailures = waitMs > 0 && !isExempt();
    const isAcquired = !isOverFailures && authentications.acquireOrLimit(key, 1, isExempt) === undefined;
    if (isAcquired) return;
    metrics.rejected('client_failures', routeClass);
    if (isOverFailures) throw quotaExceeded(rateQuota('failures', failedTokensPerMinute), waitMs);
    throw quotaExceeded(CONCURRENT_AUTHENTICATIONS);
  }

  return {
    clientAt: (address: string): Client => ({ key: clientKeyOf(address), isExempt: () => isIn(unlimited, address) }),

    /** Counts a request that needs no token for the rate limit. */
    countRequest({ key, isExempt }: Client, routeClass: RouteClass): void {
      const waitMs = requestRates.take(key);
      // Call `isExempt` last, because it is slower than counting.
      if (waitMs === 0 || isExempt()) return;
      metrics.rejected('client_rate', routeClass);
      throw quotaExceeded(rateQuota('public', publicRequestsPerMinute), waitMs);
    },

    /** Counts a request of a public route as concurrent until its response closes. */
    holdUntilClosed({ key, isExempt }: Client, routeClass: RouteClass, response: ServerResponse): void {
      // A closed response has no further `close` event, so nothing would release the slot.
      if (response.destroyed) return;
      if (openRequests.acquireOrLimit(key, 1, isExempt) !== undefined) {
        metrics.rejected('client_concurrency', routeClass);
        throw quotaExceeded(concurrencyQuota('concurrent-public', concurrentPublicRequests));
      }
      response.once('close', () => openRequests.release(key));
    },

    /**
     * Runs an authentication, and counts it if it fails. At the limit, only credentials that were valid recently are
     * admitted, so guessing does not lock out other callers behind the same address.
     */
    async authenticate<T>(attempt: Authentication, run: () => Promise<T>): Promise<T> {
      const { key, isExempt } = attempt.client;
      const { routeClass, wasValid } = attempt;
      admit(key, routeClass, () => wasValid() || isExempt());
      try {
        return await run();
      } catch (error) {
        // Count the failure even above the limit, so that later attempts must wait longer.
        if (error instanceof AppError && error.code === 'INVALID_TOKEN') failures.takeAnyway(key);
        throw error;
      } finally {
        authentications.release(key);
      }
    },
  };
}
