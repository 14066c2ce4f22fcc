import { randomBytes } from 'node:crypto';

/** Gives so many random bytes. */
export type RandomSource = (size: number) => Uint8Array;

const POOL_BYTES = 4096;

/**
 * Random bytes of the system's in small pieces, each handed out once. They are asked for in larger ones: asking costs more
 * than a piece is long.
 */
export function createRandomSource(): RandomSource {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  return (size) => {
    if (used + size > pool.length) {
      // Another one: pieces of the last may still be in use.
      pool = randomBytes(Math.max(size, POOL_BYTES));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
