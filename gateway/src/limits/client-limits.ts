import { AppError } from '@survey/runtime/errors/app-error';
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
const MOST_UNDER_WAY = 128;

export function createClientLimits(options: Options): ClientLimits {
  const { publicRequestsPerMinute, failedTokensPerMinute, unlimited, metrics, now } = options;
  // Whether a client is limited at all is asked last: it takes longer than to count.
  const requests = createTokenBuckets({ perMinute: publicRequestsPerMinute, now });
  const failures = createTokenBuckets({ perMinute: failedTokensPerMinute, now });
  const underWay = new Map<string, number>();

  /** Throws when a client may not come with credentials that are not known. */
  function checkGuesses(client: string, routeClass: RouteClass, isLetIn: () => boolean): void {
    const waitMs = failures.waitFor(client);
    const isFull = (underWay.get(client) ?? 0) >= MOST_UNDER_WAY;
    if ((waitMs === 0 && !isFull) || isLetIn()) return;
    metrics.refused('client_failures', routeClass);
    if (waitMs > 0) throw tooMany('failures', failedTokensPerMinute, waitMs);
    const quota = { name: 'concurrent-failures', requests: MOST_UNDER_WAY, windowSeconds: undefined };
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1, quota });
  }

  function countUnderWay(client: string, change: 1 | -1): void {
    const count = (underWay.get(client) ?? 0) + change;
    if (count === 0) underWay.delete(client);
    else underWay.set(client, count);
  }

  return {
    enter(address, routeClass) {
      const waitMs = requests.take(toClient(address));
      if (waitMs === 0 || isIn(unlimited, address)) return;
      metrics.refused('client_rate', routeClass);
      throw tooMany('public', publicRequestsPerMinute, waitMs);
    },

    async authenticate({ address, routeClass, isKnown }, run) {
      const client = toClient(address);
      checkGuesses(client, routeClass, () => isKnown() || isIn(unlimited, address));
      countUnderWay(client, 1);
      try {
        return await run();
      } catch (error) {
        if (error instanceof AppError && error.reason === 'INVALID_TOKEN') failures.spend(client);
        throw error;
      } finally {
        countUnderWay(client, -1);
      }
    },
  };
}

function tooMany(name: string, perMinute: number, waitMs: number): AppError {
  const quota = { name, requests: perMinute, windowSeconds: 60 };
  return new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000), quota });
}
