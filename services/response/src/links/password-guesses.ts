import type { PasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Quota } from '@survey/runtime/errors/app-error';
import { LRUCache } from 'lru-cache';
import type { CountRefusal } from '../allowances/refusal-metrics.ts';
import type { LockedLink } from './link-pass.ts';

/** What a visitor gives for a link's password. */
interface Guess {
  /** What tells visitors apart. */
  readonly client: string;
  readonly password: string;
}

/** What a guess came to; one too many is not looked at. */
type Outcome = 'right' | 'wrong' | TooManyGuesses;

interface TooManyGuesses {
  readonly retryAfterSeconds: number;
  readonly quota: Quota;
}

export type GuessPassword = (link: LockedLink, guess: Guess) => Promise<Outcome>;

interface Dependencies {
  readonly isPassword: PasswordHasher['isPassword'];
  readonly countRefusal: CountRefusal;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

/** Wrong guesses of a client at the password of a link in a minute. */
const MAX_WRONG = 10;
/** Those of all clients together: who has many addresses finds no password either. */
const MAX_WRONG_OF_ALL = 100;
const MINUTE_MS = 60_000;
/** Guesses at the password of a link that are looked at, or wait for it: the others are to have room in the queue. */
const MAX_WAITING = 4;
/** How long to wait for those, in seconds. */
const PATIENCE = 1;
/** Links whose passwords were guessed wrongly in the last minute, and clients that did, in memory. */
const CAPACITY = 50_000;
const QUOTA: Quota = { name: 'passwords', requests: MAX_WRONG, windowSeconds: MINUTE_MS / 1_000 };

interface Keys {
  readonly key: string;
  readonly clientKey: string;
}

/** Few guesses at each link, so that who tries them all neither finds one nor keeps the visitors of others waiting. */
export function createPasswordGuesses({ isPassword, countRefusal, now }: Dependencies): GuessPassword {
  const wrong = createWrongGuesses(MAX_WRONG, now);
  const wrongOfAll = createWrongGuesses(MAX_WRONG_OF_ALL, now);
  const running = new Map<string, Map<string, Promise<Outcome>>>();

  function tooMany(retryAfterSeconds: number): TooManyGuesses {
    countRefusal('passwords');
    return { retryAfterSeconds, quota: QUOTA };
  }

  async function look({ passwordHash }: LockedLink, password: string, keys: Keys): Promise<Outcome> {
    if (await isPassword(passwordHash, password)) return 'right';
    wrong.add(keys.clientKey);
    wrongOfAll.add(keys.key);
    return 'wrong';
  }

  return async (link, { client, password }) => {
    const key = keyOf(link);
    const clientKey = `${key} ${client}`;
    const waiting = running.get(key) ?? new Map<string, Promise<Outcome>>();
    // A class that comes with its password at the same time is one guess.
    const same = waiting.get(password);
    if (same !== undefined) return same;
    const left = Math.min(wrong.left(clientKey), wrongOfAll.left(key));
    if (left <= 0) return tooMany(Math.max(wrong.retryAfterSeconds(clientKey), wrongOfAll.retryAfterSeconds(key)));
    if (waiting.size >= Math.min(left, MAX_WAITING)) return tooMany(PATIENCE);
    const looking = look(link, password, { key, clientKey });
    running.set(key, waiting.set(password, looking));
    try {
      return await looking;
    } finally {
      waiting.delete(password);
      if (waiting.size === 0) running.delete(key);
    }
  };
}

/** Counts by key, for a minute from the first one. */
function createWrongGuesses(max: number, now: () => number) {
  const counts = new LRUCache<string, number>({ max: CAPACITY, ttl: MINUTE_MS, ttlResolution: 0, perf: { now } });
  const left = (key: string) => max - (counts.get(key) ?? 0);
  return {
    left,
    add: (key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1, { noUpdateTTL: true }),
    /** 0 while there are some left. */
    retryAfterSeconds: (key: string) => (left(key) > 0 ? 0 : Math.ceil(counts.getRemainingTTL(key) / 1_000)),
  };
}

/** With another password guessing begins anew. */
function keyOf({ id, passwordHash }: LockedLink): string {
  return `${id}:${passwordHash}`;
}
