import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded, rateQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { type AddressRanges, isIn, toClient } from '@survey/runtime/limits/client';
import { createTokenBuckets } from '@survey/runtime/limits/token-buckets';
import type { LimitMetrics } from './limit-metrics.ts';
import type { RouteClass } from './route-class.ts';

/** What a client may do before it is known who it is, by its address. Each throws `TOO_MANY_REQUESTS`. */
export interface ClientLimits {
  /** Lets a request to a public route in. */
  enter(address: string, routeClass: RouteClass): void;
  /**
   * Runs an authentication. Only those count that fail; when too many have, or too many are under way, only who is known
   * is let in: guesses cost nothing any more, and who shares an address with somebody that guesses goes on.
   *
   * @param isKnown whether the very same credentials were good when they came last
   */
  authenticate<T>(
    client: { readonly address: string; readonly routeClass: RouteClass; readonly isKnown: () => boolean },
    run: () => Promise<T>,
  ): Promise<T>;
}

interface Options {
  readonly publicRequestsPerMinute: number;
  readonly failedTokensPerMinute: number;
  /** Whose clients are not limited. */
  readonly unlimited: AddressRanges;
  readonly metrics: LimitMetrics;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Authentications of one client at the same time. It is known only after them whether they were guesses. */
const CONCURRENT = concurrencyQuota('concurrent-failures', 128);

export function createClientLimits(options: Options): ClientLimits {
  const { publicRequestsPerMinute, failedTokensPerMinute, unlimited, metrics, now } = options;
  // Whether a client is limited at all is asked last: it takes longer than to count.
  const requests = createTokenBuckets({ perMinute: publicRequestsPerMinute, now });
  const failures = createTokenBuckets({ perMinute: failedTokensPerMinute, now });
  const authentications = createKeyedSemaphore({ perKey: CONCURRENT.requests });

  /** Acquires a slot for an authentication. Throws when the client may not send credentials that are not known. */
  function admit(client: string, routeClass: RouteClass, isLetIn: () => boolean): void {
    const waitMs = failures.waitFor(client);
    const isFailing = waitMs > 0 && !isLetIn();
    if (!isFailing && authentications.tryAcquire(client, 1, isLetIn) === undefined) return;
    metrics.refused('client_failures', routeClass);
    if (isFailing) throw quotaExceeded(rateQuota('failures', failedTokensPerMinute), waitMs);
    throw quotaExceeded(CONCURRENT);
  }

  return {
    enter(address, routeClass) {
      const waitMs = requests.take(toClient(address));
      if (waitMs === 0 || isIn(unlimited, address)) return;
      metrics.refused('client_rate', routeClass);
      throw quotaExceeded(rateQuota('public', publicRequestsPerMinute), waitMs);
    },

    async authenticate({ address, routeClass, isKnown }, run) {
      const client = toClient(address);
      admit(client, routeClass, () => isKnown() || isIn(unlimited, address));
      try {
        return await run();
      } catch (error) {
        if (error instanceof AppError && error.reason === 'INVALID_TOKEN') failures.spend(client);
        throw error;
      } finally {
        authentications.release(client);
      }
    },
  };
}
