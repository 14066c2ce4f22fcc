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

/** The result of a guess. Guesses of clients with too many wrong ones are not checked. */
type Outcome = 'right' | 'wrong' | TooManyGuesses;

interface TooManyGuesses {
  readonly retryAfterSeconds: number;
  readonly quota: Quota;
}

export type GuessPassword = (link: PasswordLink, guess: Guess) => Promise<Outcome>;

interface Dependencies {
  readonly isPassword: PasswordHasher['isPassword'];
  readonly countRejection: CountRejection;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Wrong guesses of a client per link and minute. The token bucket allows half of them at once. */
const MAX_WRONG = 10;
/** The limit while the link is under attack, against clients with many addresses. */
const MAX_WRONG_UNDER_ATTACK = 2;
/** A link with more wrong guesses of all clients per minute is under attack. Half of them may come at once. */
const ATTACK_PER_MINUTE = 100;
const MINUTE_MS = 60_000;
/** Maximum number of links and of clients in memory. */
const CAPACITY = 50_000;
/** Guesses that wait for a hash. Further ones are rejected with `OVERLOADED`. */
const MAX_WAITING = { maxPerKey: 32, maxKeys: 64 };

/**
 * Slows down only clients that guess passwords. There are two queues, and each hashes one password at a time. Clients
 * without wrong guesses use the first one, round robin by link. Clients with wrong guesses use the second one,
 * round robin by client. A right password is hashed only once.
 */
export function createGuessPassword({ isPassword, countRejection, now }: Dependencies): GuessPassword {
  const normal = createLimit(MAX_WRONG, now);
  const strict = createLimit(MAX_WRONG_UNDER_ATTACK, now);
  const wrongGuessesOfAll = createTokenBuckets({ perMinute: ATTACK_PER_MINUTE, now });
  /** Clients with a wrong guess in the last minute. */
  const guessers = new LRUCache<string, true>({
    ...maxEntries(CAPACITY),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  const [normalQueue, guesserQueue] = [createFairMutex(MAX_WAITING), createFairMutex(MAX_WAITING)];
  /** Keyed hashes of right passwords, by link. */
  const correctPasswords = new LRUCache<string, Buffer>(maxEntries(CAPACITY));
  /** Concurrent guesses with the same password are checked once: many visitors may enter the right one together. */
  const checkOnce = createSingleFlight((_key, link: PasswordLink, guess: Guess) => check(link, guess));
  const digestKey = randomBytes(32);

  async function check(link: PasswordLink, { client, password }: Guess): Promise<boolean> {
    const key = keyOf(link);
    const digest = createHmac('sha256', digestKey).update(password).digest();
    const known = correctPasswords.get(key);
    if (known !== undefined) return timingSafeEqual(known, digest);
    const verify = () => isPassword(link.passwordHash, password);
    const isRight = await (guessers.has(client) ? guesserQueue.run(client, verify) : normalQueue.run(key, verify));
    if (isRight) correctPasswords.set(key, digest);
    return isRight;
  }

  function recordWrongGuess(key: string, client: string): 'wrong' {
    wrongGuessesOfAll.takeAnyway(key);
    guessers.set(client, true);
    return 'wrong';
  }

  return async (link, guess) => {
    const { client, password } = guess;
    const key = keyOf(link);
    const clientKey = `${key} ${client}`;
    const flightKey = `${key} ${password}`;
    const limit = wrongGuessesOfAll.waitFor(key) > 0 ? strict : normal;
    // A guess that joins a running check costs no hash. So it is limited only if it is wrong.
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

/** A new password resets the counts. */
function keyOf({ id, passwordHash }: PasswordLink): string {
  return `${id}:${passwordHash}`;
}
