import { memoize } from '@survey/runtime/flow/memoize';
import { isObject } from '@survey/runtime/json/is-object';

/** The body of `/health`. */
export interface PlatformHealth {
  readonly status: 'healthy' | 'unhealthy';
  readonly checks: { readonly database: boolean; readonly queue: boolean };
}

const TIMEOUT_MS = 2_000;
const TTL_MS = 1_000;

type Checks = PlatformHealth['checks'];

/** Merges and caches the checks of all services. A service that does not report in time fails both checks. */
export function createPlatformHealth(
  adminUrls: readonly string[],
  now: () => number = () => performance.now(),
): () => Promise<PlatformHealth> {
  async function readAll(): Promise<PlatformHealth> {
    const all = await Promise.all(adminUrls.map(readChecks));
    const checks = { database: all.every(({ database }) => database), queue: all.every(({ queue }) => queue) };
    return { status: checks.database && checks.queue ? 'healthy' : 'unhealthy', checks };
  }

  return memoize(readAll, { ttlMs: TTL_MS, now });
}

async function readChecks(adminUrl: string): Promise<Checks> {
  try {
    // Read the checks at any status: a starting or stopping service replies 503, but its checks can pass.
    const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json();
    if (isObject(body) && isObject(body['checks'])) {
      const { database, queue } = body['checks'];
      return { database: database === true, queue: queue === true };
    }
  } catch {
    // Do not log the failure: the probes of the service report it.
  }
  return { database: false, queue: false };
}
