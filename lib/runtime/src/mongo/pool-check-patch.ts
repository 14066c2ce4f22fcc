import { patchClass } from '../patches/patch-class.ts';

/** The members of the driver's class that the patch uses. */
interface ConnectionPool {
  readonly options: { readonly minPoolSize: number };
  readonly totalConnectionCount: number;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize(): void;
}

/** Interval of the check while a pool has enough connections. */
const CHECK_MS = 2_000;

/**
 * Makes a connection pool of the MongoDB driver 7.8.0 check its size every two seconds while it has its minimum of
 * connections. The driver checks each pool ten times a second, which used a tenth of the CPU of an idle service. It has
 * no public option for this. An operation that needs a connection does not wait for this check.
 *
 * Throws if the driver has changed.
 */
export function patchPoolCheck(): void {
  patchClass<ConnectionPool>({
    library: 'mongodb',
    path: 'lib/cmap/connection_pool.js',
    className: 'ConnectionPool',
    faults: { ensureMinPoolSize: 'this.options.minPoolSizeCheckFrequencyMS' },
    replace(prototype) {
      const original = prototype.ensureMinPoolSize;
      prototype.ensureMinPoolSize = function checkSeldom() {
        const earlierTimer = this.minPoolSizeTimer;
        original.call(this);
        // A paused or closed pool sets no timer. One with too few connections creates one, and must check again soon.
        const isSet = this.minPoolSizeTimer !== earlierTimer;
        if (!isSet || this.totalConnectionCount < this.options.minPoolSize) return;
        clearTimeout(this.minPoolSizeTimer);
        this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), CHECK_MS);
      };
    },
  });
}
