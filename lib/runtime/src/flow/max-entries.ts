/**
 * The option of an `LRUCache` that limits its entries. The option `max` would allocate all entries at once: for 50,000,
 * a megabyte in several milliseconds.
 */
export function maxEntries(count: number) {
  return { maxSize: count, sizeCalculation: () => 1 };
}

/** A percentage of a tenant's limit, rounded down, at least 1. Gateway and identity must round alike. */
export function percentOfLimit(all: number, percent: number): number {
  return Math.max(1, Math.floor((all * percent) / 100));
}
