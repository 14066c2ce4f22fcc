/**
 * The option of an `LRUCache` that limits its entries. The option `max` would allocate all entries at once: for 50,000,
 * a megabyte in several milliseconds.
 */
export function maxEntries(count: number) {
  return { maxSize: count, sizeCalculation: () => 1 };
}
