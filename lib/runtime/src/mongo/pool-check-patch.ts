import { createRequire } from 'node:module';

/** The members of the driver's class that the patch uses. */
interface ConnectionPool {
  readonly options: { readonly minPoolSize: number };
  readonly totalConnectionCount: number;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize(): void;
}

const PATCHED = Symbol.for('survey.mongodb.pool-check-patch');
/** Code that shows the frequent check, which has no public option. */
const FREQUENT_CHECK = 'this.options.minPoolSizeCheckFrequencyMS';
/** Interval of the check while a pool has enough connections. */
const CHECK_MS = 2_000;

/**
 * Makes a connection pool of the MongoDB driver 7.8.0 check its size every two seconds while it has its minimum of
 * connections. The driver checks each pool ten times a second, which used a tenth of the CPU of an idle service. An
 * operation that needs a connection does not wait for this check.
 *
 * Throws if the driver has changed.
 */
export function patchPoolCheck(): void {
  const prototype = loadPrototype();
  if (Object.hasOwn(prototype, PATCHED)) return;
  const original: unknown = prototype.ensureMinPoolSize;
  if (typeof original !== 'function' || !original.toString().includes(FREQUENT_CHECK))
    throw new Error('mongodb has changed: see whether its pools still need the patch of pool-check-patch.ts');
  prototype.ensureMinPoolSize = function checkSeldom() {
    const earlierTimer = this.minPoolSizeTimer;
    original.call(this);
    // A paused or closed pool sets no timer. One with too few connections creates one, and must check again soon.
    const isSet = this.minPoolSizeTimer !== earlierTimer;
    if (!isSet || this.totalConnectionCount < this.options.minPoolSize) return;
    clearTimeout(this.minPoolSizeTimer);
    this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), CHECK_MS);
  };
  Object.defineProperty(prototype, PATCHED, { value: true });
}

function loadPrototype(): ConnectionPool {
  const module: unknown = createRequire(import.meta.url)('mongodb/lib/cmap/connection_pool.js');
  const { ConnectionPool: found } = module as { readonly ConnectionPool?: unknown };
  if (typeof found !== 'function') throw new Error('mongodb has changed: its ConnectionPool is not where it was');
  // The driver has no types for this file; the method is checked before it is replaced.
  return found.prototype as ConnectionPool;
}
