import type { PasswordHasher } from '@survey/runtime/auth/password-hash';
import { LRUCache } from 'lru-cache';
import type { LockedLink } from './link-pass.ts';

/** What a guess came to; one too many is not looked at. */
type Guess = 'right' | 'wrong' | TooManyGuesses;

interface TooManyGuesses {
  readonly retryAfterSeconds: number;
}

export type GuessPassword = (link: LockedLink, password: string) => Promise<Guess>;

interface Dependencies {
  readonly isPassword: PasswordHasher['isPassword'];
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Wrong guesses at the password of a link in a minute. */
const MAX_WRONG = 10;
const MINUTE_MS = 60_000;
/** Guesses at the password of a link that are looked at, or wait for it: the others are to have room in the queue. */
const MAX_WAITING = 4;
/** How long to wait for those, in seconds. */
const PATIENCE = 1;
/** Links whose passwords were guessed wrongly in the last minute, in memory. */
const CAPACITY = 50_000;

/** Few guesses at each link, so that who tries them all neither finds one nor keeps the visitors of others waiting. */
export function createPasswordGuesses({ isPassword, now }: Dependencies): GuessPassword {
  const wrong = new LRUCache<string, number>({ max: CAPACITY, ttl: MINUTE_MS, ttlResolution: 0, perf: { now } });
  const running = new Map<string, Map<string, Promise<Guess>>>();

  async function look(key: string, { passwordHash }: LockedLink, password: string): Promise<Guess> {
    if (await isPassword(passwordHash, password)) return 'right';
    // The minute begins with the first of them.
    wrong.set(key, (wrong.get(key) ?? 0) + 1, { noUpdateTTL: true });
    return 'wrong';
  }

  return async (link, password) => {
    const key = keyOf(link);
    const waiting = running.get(key) ?? new Map<string, Promise<Guess>>();
    // A class that comes with its password at the same time is one guess.
    const same = waiting.get(password);
    if (same !== undefined) return same;
    const left = MAX_WRONG - (wrong.get(key) ?? 0);
    if (left <= 0) return { retryAfterSeconds: Math.ceil(wrong.getRemainingTTL(key) / 1_000) };
    if (waiting.size >= Math.min(left, MAX_WAITING)) return { retryAfterSeconds: PATIENCE };
    const looking = look(key, link, password);
    running.set(key, waiting.set(password, looking));
    try {
      return await looking;
    } finally {
      waiting.delete(password);
      if (waiting.size === 0) running.delete(key);
    }
  };
}

/** With another password guessing begins anew. */
function keyOf({ id, passwordHash }: LockedLink): string {
  return `${id}:${passwordHash}`;
}
