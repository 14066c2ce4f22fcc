import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { poll } from '../testing/poll.ts';
import { patchPoolCheck } from './pool-check-patch.ts';

const { ConnectionPool } = createRequire(import.meta.url)('mongodb/lib/cmap/connection_pool.js');

/** A pool without a server, with the members that the check uses. */
function createPool(totalConnectionCount: number, poolState: 'ready' | 'closed' = 'ready') {
  const checks: number[] = [];
  const options = { minPoolSize: 2, maxConnecting: 0, minPoolSizeCheckFrequencyMS: 100 };
  const pool = Object.create(ConnectionPool.prototype, {
    totalConnectionCount: { value: totalConnectionCount },
    pendingConnectionCount: { value: 0 },
  });
  return Object.assign(pool, {
    options,
    poolState,
    minPoolSizeTimer: undefined,
    connections: { prune: () => checks.push(performance.now()) },
    checks,
  });
}

describe('the check of a connection pool', () => {
  let pool: ReturnType<typeof createPool>;
  beforeEach(patchPoolCheck);
  afterEach(() => clearTimeout(pool.minPoolSizeTimer));

  it('is seldom while the pool has enough connections', async () => {
    pool = createPool(2);
    pool.ensureMinPoolSize();
    await poll(() => pool.checks.length === 2);
    expect(pool.checks[1] - pool.checks[0]).toBeGreaterThan(1_900);
  });

  it('is frequent while connections are missing', async () => {
    pool = createPool(1);
    pool.ensureMinPoolSize();
    expect(pool.minPoolSizeTimer).toMatchObject({ _idleTimeout: 100 });
  });

  it('ends with the pool', () => {
    pool = createPool(2, 'closed');
    pool.ensureMinPoolSize();
    expect(pool.minPoolSizeTimer).toBeUndefined();
  });

  it('is patched only once', () => {
    pool = createPool(2);
    const { ensureMinPoolSize } = ConnectionPool.prototype;
    patchPoolCheck();
    expect(ConnectionPool.prototype.ensureMinPoolSize).toBe(ensureMinPoolSize);
  });
});
