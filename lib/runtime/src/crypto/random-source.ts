import { randomBytes } from 'node:crypto';

export type RandomSource = (size: number) => Uint8Array;

const POOL_BYTES = 4096;

/**
 * Random bytes of the system, from a pool: a call to the system costs more than the few bytes of an IV. No byte is
 * returned twice.
 */
export function createRandomSource(): RandomSource {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  return (size) => {
    if (used + size > pool.length) {
      // Make a new pool: slices of the last one may still be in use.
      pool = randomBytes(Math.max(size, POOL_BYTES));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
