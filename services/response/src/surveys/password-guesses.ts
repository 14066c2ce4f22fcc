import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasswordHasher } from '@survey/runtime/auth/password-hash';
import type { Quota } from '@survey/runtime/errors/app-error';
import { rateQuota } from '@survey/runtime/errors/quota';
import { createFairMutex } from '@survey/runtime/flow/fair-queue';
import { createSingleFlight, maxEntries } from '@survey/runtime/flow/memoize';
import { createTokenBuckets } from '@survey/runtime/flow/token-buckets';
import { LRUCache } from 'lru-cache';
import type { CountRejection } from '../rates/rate-limits.ts';
import type { PasswordLink } from './link-pass.ts';

interface Guess {
  /** Identifies the visitor, by network address. */
  readonly client: string;
  readonly password: string;
}

/** The result of a guess. `TooManyGuesses`: the guess was not checked, after too many wrong guesses. */
type Outcome = 'right' | 'wrong' | TooManyGuesses;

interface TooManyGuesses {
  readonly retryAfterSeconds: number;
  readonly quota: Quota;
}

export type CheckGuess = (link: PasswordLink, guess: Guess) => Promise<Outcome>;

interface Dependencies {
  readonly isPassword: PasswordHasher['isPassword'];
  readonly countRejection: CountRejection;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Maximum number of wrong guesses of a client, per link and minute. */
const MAX_WRONG = 10;
/** The same limit while the link is under attack by clients with many addresses. */
const MAX_WRONG_UNDER_ATTACK = 2;
/** A link is under attack if all clients together make more wrong guesses than this per minute. */
const ATTACK_PER_MINUTE = 100;
const MINUTE_MS = 60_000;
const CAPACITY = 50_000;
/** Maximum number of guesses that wait for a hash. Further guesses are rejected with `OVERLOADED`. */
const MAX_WAITING = { maxPerKey: 32, maxKeys: 64 };

/**
 * Returns a function that checks a visitor's guess of a password. Hashing a password is slow, so two queues hash one
 * password at a time each. Clients without wrong guesses use the first queue, round robin by link. Clients with wrong
 * guesses use the second queue, round robin by client. So attackers hardly delay other clients.
 */
export function createCheckGuess({ isPassword, countRejection, now }: Dependencies): CheckGuess {
  const normal = createLimit(MAX_WRONG, now);
  const strict = createLimit(MAX_WRONG_UNDER_ATTACK, now);
  const wrongGuessesOfAll = createTokenBuckets({ perMinute: ATTACK_PER_MINUTE, now });
  /** Clients with a wrong guess in the last minute. */
  const wrongGuessers = new LRUCache<string, true>({
    ...maxEntries(CAPACITY),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  const [normalQueue, guesserQueue] = [createFairMutex(MAX_WAITING), createFairMutex(MAX_WAITING)];
  /** Keyed hashes of right passwords, by link. */
  const correctPasswords = new LRUCache<string, Buffer>(maxEntries(CAPACITY));
  /** Checks concurrent guesses of the same password once: many visitors may enter the right password together. */
  const checkOnce = createSingleFlight((_key, link: PasswordLink, guess: Guess) => check(link, guess));
  const digestKey = randomBytes(32);

  async function check(link: PasswordLink, { client, password }: Guess): Promise<boolean> {
    const key = keyOf(link);
    const digest = createHmac('sha256', digestKey).update(password).digest();
    const known = correctPasswords.get(key);
    if (known !== undefined) return timingSafeEqual(known, digest);
    const verify = () => isPassword(link.passwordHash, password);
    const isRight = await (wrongGuessers.has(client) ? guesserQueue.run(client, verify) : normalQueue.run(key, verify));
    if (isRight) correctPasswords.set(key, digest);
    return isRight;
  }

  function recordWrongGuess(key: string, client: string): 'wrong' {
    wrongGuessesOfAll.takeAnyway(key);
    wrongGuessers.set(client, true);
    return 'wrong';
  }

  return async (link, guess) => {
    const { client, password } = guess;
    const key = keyOf(link);
    const clientKey = `${key} ${client}`;
    const flightKey = `${key} ${password}`;
    const limit = wrongGuessesOfAll.waitFor(key) > 0 ? strict : normal;
    // A guess that joins a running check costs no hash, so it needs no permit. A wrong guess counts toward the limit.
    if (checkOnce.isRunning(flightKey)) {
      if (await checkOnce(flightKey, link, guess)) return 'right';
      limit.takeAnyway(clientKey);
      return recordWrongGuess(key, client);
    }
    const waitMs = limit.take(clientKey);
    if (waitMs > 0) {
      countRejection('passwords');
      return { retryAfterSeconds: Math.ceil(waitMs / 1_000), quota: limit.quota };
    }
    try {
      if (!(await checkOnce(flightKey, link, guess))) return recordWrongGuess(key, client);
    } catch (error) {
      limit.giveBack(clientKey);
      throw error;
    }
    limit.giveBack(clientKey);
    return 'right';
  };
}

function createLimit(perMinute: number, now: () => number) {
  return { ...createTokenBuckets({ perMinute, now }), quota: rateQuota('passwords', perMinute) };
}

/** The key contains the hash, so a new password resets the counts. */
function keyOf({ id, passwordHash }: PasswordLink): string {
  return `${id}:${passwordHash}`;
}
