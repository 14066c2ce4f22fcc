import { LRUCache } from 'lru-cache';

/**
 * A bucket of tokens for each key. It is full at first, and gets a token back at a steady pace until it is full again.
 * Waits are in milliseconds, 0 for none.
 */
interface TokenBuckets {
  /** Takes a token; gives how long to wait for one when there is none. */
  take(key: string): number;
  giveBack(key: string): void;
  /** How long until there is a token; takes none. */
  waitFor(key: string): number;
  /** Takes a token even when there is none: it has to be made good before the next one. */
  spend(key: string): void;
}

interface Options {
  /** How many tokens a bucket gets back in a minute; it holds half as many. */
  readonly perMinute: number;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Keys in memory. One that is forgotten begins anew. */
const CAPACITY = 50_000;
const MINUTE_MS = 60_000;
/** A wait that is nothing but the inexactness of sums. */
const NO_WAIT_MS = 0.01;

export function createTokenBuckets({ perMinute, now }: Options): TokenBuckets {
  const tokenMs = MINUTE_MS / perMinute;
  const emptyMs = Math.ceil(perMinute / 2) * tokenMs;
  /** When a bucket is full again: all that has to be known of it. */
  const fullAt = new LRUCache<string, number>({ max: CAPACITY });

  function missingMs(key: string): number {
    return Math.max(0, (fullAt.get(key) ?? 0) - now());
  }

  function setMissingMs(key: string, ms: number): void {
    fullAt.set(key, now() + ms);
  }

  function waitFor(key: string): number {
    const wait = missingMs(key) + tokenMs - emptyMs;
    return wait < NO_WAIT_MS ? 0 : wait;
  }

  return {
    waitFor,

    take(key) {
      const wait = waitFor(key);
      if (wait === 0) setMissingMs(key, missingMs(key) + tokenMs);
      return wait;
    },

    giveBack: (key) => setMissingMs(key, Math.max(0, missingMs(key) - tokenMs)),

    // Nobody has to wait for more than what a minute gives back.
    spend: (key) => setMissingMs(key, Math.min(missingMs(key) + tokenMs, emptyMs + MINUTE_MS)),
  };
}
