import { LRUCache } from 'lru-cache';
import { maxEntries } from './memoize.ts';

interface Options {
  /** Refill rate. The capacity is half of it, so that a client cannot use up a whole minute at once. */
  readonly perMinute: number;
  /** Milliseconds that never decrease. */
  readonly now: () => number;
}

/** Maximum number of keys. Evicted keys start again with a full bucket. */
const MAX_KEYS = 50_000;
const MINUTE_MS = 60_000;
/** Shorter waits are rounding errors. */
const NO_WAIT_MS = 0.01;

/**
 * Token buckets (https://en.wikipedia.org/wiki/Token_bucket), one per key. They are full at first, and refill at a
 * constant rate. Waits are in milliseconds, 0 for none.
 */
export function createTokenBuckets({ perMinute, now }: Options) {
  const tokenMs = MINUTE_MS / perMinute;
  const capacityMs = Math.ceil(perMinute / 2) * tokenMs;
  /** Time at which the bucket of each key is full again: later by `tokenMs` for each missing token. */
  const fullAt = new LRUCache<string, number>(maxEntries(MAX_KEYS));

  function msUntilFull(key: string): number {
    return Math.max(0, (fullAt.get(key) ?? 0) - now());
  }

  function setMsUntilFull(key: string, ms: number): void {
    fullAt.set(key, now() + ms);
  }

  /** Returns the wait until there is a token, without taking it. */
  function waitFor(key: string): number {
    const wait = msUntilFull(key) + tokenMs - capacityMs;
    return wait < NO_WAIT_MS ? 0 : wait;
  }

  return {
    waitFor,

    /** Takes a token, and returns 0. If the bucket is empty, returns the wait until the next token. */
    take(key: string): number {
      const wait = waitFor(key);
      if (wait === 0) setMsUntilFull(key, msUntilFull(key) + tokenMs);
      return wait;
    },

    giveBack: (key: string) => setMsUntilFull(key, Math.max(0, msUntilFull(key) - tokenMs)),

    /** Takes a token even if the bucket is empty. The missing tokens delay the next one, by a minute at most. */
    takeAnyway: (key: string) => setMsUntilFull(key, Math.min(msUntilFull(key) + tokenMs, capacityMs + MINUTE_MS)),
  };
}
