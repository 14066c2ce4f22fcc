import { memoize } from '@survey/runtime/flow/memoize';
import { isObject } from '@survey/runtime/json/is-object';

/** What `/health` tells. */
export interface PlatformHealth {
  readonly status: 'healthy' | 'unhealthy';
  readonly checks: { readonly database: boolean; readonly queue: boolean };
}

const TIMEOUT_MS = 2_000;
const TTL_MS = 1_000;

type Checks = PlatformHealth['checks'];

/**
 * Asks every service for its own checks; one that does not answer in time counts as failing all of them. Remembered
 * for a second.
 */
export function createPlatformHealth(
  adminUrls: readonly string[],
  now: () => number = () => performance.now(),
): () => Promise<PlatformHealth> {
  async function ask(): Promise<PlatformHealth> {
    const all = await Promise.all(adminUrls.map(readChecks));
    const checks = { database: all.every(({ database }) => database), queue: all.every(({ queue }) => queue) };
    return { status: checks.database && checks.queue ? 'healthy' : 'unhealthy', checks };
  }

  return memoize(ask, { ttlMs: TTL_MS, now });
}

async function readChecks(adminUrl: string): Promise<Checks> {
  try {
    // Not ready, as while it starts or stops, is no failure of a check.
    const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json();
    if (isObject(body) && isObject(body['checks'])) {
      const { database, queue } = body['checks'];
      return { database: database === true, queue: queue === true };
    }
  } catch {
    // Which service is away is to be seen in its own probes and in the errors of its routes.
  }
  return { database: false, queue: false };
}
