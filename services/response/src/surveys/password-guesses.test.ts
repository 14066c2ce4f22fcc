import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { PasswordLink } from './link-pass.ts';
import { createCheckGuess } from './password-guesses.ts';

const toLink = (id: string, passwordHash = 'right'): PasswordLink => ({ id, tenantId: toTenantId('t'), passwordHash });
const link = toLink('l');
const tooMany = (retryAfterSeconds: number, requests = 10) => ({
  retryAfterSeconds,
  quota: { name: 'passwords', requests, windowSeconds: 60 },
});

/** Starts a check of guesses with a manual clock. Counts hashes. The hash of a password is the password. */
function startGuessing(isPassword = async (hash: string, password: string) => hash === password) {
  let time = 1;
  let hashes = 0;
  const rejections: string[] = [];
  const checkGuess = createCheckGuess({
    isPassword(hash, password) {
      hashes += 1;
      return isPassword(hash, password);
    },
    countRejection: (limit) => rejections.push(limit),
    now: () => time,
  });
  const guess = (at: PasswordLink, password: string, client = 'c1') => checkGuess(at, { client, password });
  return {
    guess,
    rejections,
    hashes: () => hashes,
    pass: (ms: number) => {
      time += ms;
    },
    async guessWrongly(times: number, client?: string) {
      for (let count = 0; count < times; count += 1) expect(await guess(link, `wrong ${count}`, client)).toBe('wrong');
    },
    /** Many clients guess, each one until a rejection. */
    async attack(clients: number, prefix = 'attacker') {
      for (let client = 0; client < clients; client += 1)
        while ((await guess(link, 'wrong', `${prefix} ${client}`)) === 'wrong');
    },
  };
}

describe('a client that guesses the password of a link', () => {
  it('has five wrong guesses, then one every six seconds, and its other guesses are not checked', async () => {
    const { guess, guessWrongly, hashes, pass, rejections } = startGuessing();
    await guessWrongly(5);
    expect(await guess(link, 'right')).toEqual(tooMany(6));
    expect([hashes(), rejections]).toEqual([5, ['passwords']]);
    pass(6_000);
    await guessWrongly(1);
    expect(await guess(link, 'wrong')).toEqual(tooMany(6));
    pass(6_000);
    expect(await guess(link, 'right')).toBe('right');
  });

  it('has no more guesses if they are concurrent', async () => {
    const { guess, hashes } = startGuessing();
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => guess(link, `guess ${index}`)));
    expect(results).toEqual([...Array(5).fill('wrong'), ...Array(3).fill(tooMany(6))]);
    expect(hashes()).toBe(5);
  });

  it('has no more guesses after a right password', async () => {
    const { guess, guessWrongly } = startGuessing();
    expect(await guess(link, 'right')).toBe('right');
    await guessWrongly(5);
    expect(await guess(link, 'right')).toEqual(tooMany(6));
  });

  it('has separate limits for other links, and for another password of this one', async () => {
    const { guess, guessWrongly } = startGuessing();
    await guessWrongly(5);
    expect(await guess(toLink('other'), 'right')).toBe('right');
    expect(await guess(toLink(link.id, 'changed'), 'changed')).toBe('right');
  });

  it('has one guess and then two a minute while the link is under attack', async () => {
    const { guess, guessWrongly, attack, pass } = startGuessing();
    await attack(10);
    await guessWrongly(1, 'late');
    expect(await guess(link, 'wrong', 'late')).toEqual(tooMany(30, 2));
    pass(60_000);
    await guessWrongly(5, 'later');
  });
});

describe('the right password', () => {
  it('is accepted from every client without wrong guesses, even while many clients guess', async () => {
    const { guess, attack } = startGuessing();
    for (let visitor = 0; visitor < 3; visitor += 1) {
      await attack(200, `attacker ${visitor}`);
      expect(await guess(link, 'right', `visitor ${visitor}`)).toBe('right');
    }
  });

  it('is checked before the guesses of clients with wrong ones', async () => {
    const checked: string[] = [];
    const ends: PromiseWithResolvers<boolean>[] = [];
    const { guess } = startGuessing((_hash, password) => {
      checked.push(password);
      if (password === 'wrong') return Promise.resolve(false);
      const end = Promise.withResolvers<boolean>();
      ends.push(end);
      return end.promise;
    });
    const attackers = Array.from({ length: 50 }, (_, client) => `attacker ${client}`);
    for (const client of attackers) await guess(link, 'wrong', client);
    const attack = attackers.map((client) => guess(toLink(client), `of ${client}`, client));
    const visit = guess(toLink('visited'), 'right', 'visitor');
    expect(checked.slice(50)).toEqual(['of attacker 0', 'right']);
    ends[1]?.resolve(true);
    expect(await visit).toBe('right');
    ends[0]?.resolve(false);
    expect(await attack[0]).toBe('wrong');
  });

  it('is hashed once; then no guess for the link needs a hash', async () => {
    const { guess, hashes } = startGuessing();
    const visitors = Array.from({ length: 30 }, (_, client) => guess(link, 'right', `c${client}`));
    expect(await Promise.all(visitors)).toEqual(Array(30).fill('right'));
    expect(await guess(link, 'right', 'late')).toBe('right');
    expect(await guess(link, 'wrong', 'late')).toBe('wrong');
    expect(hashes()).toBe(1);
    expect(await guess(toLink(link.id, 'changed'), 'right')).toBe('wrong');
    expect(hashes()).toBe(2);
  });

  it('can be sent by any number of visitors with one address', async () => {
    const { guess } = startGuessing();
    for (let round = 0; round < 2; round += 1) {
      const visitors = Array.from({ length: 30 }, () => guess(link, 'right'));
      expect(await Promise.all(visitors)).toEqual(Array(30).fill('right'));
    }
  });
});

describe('a guess that cannot be checked', () => {
  it('is not counted', async () => {
    const { guess, hashes } = startGuessing(() => Promise.reject(new AppError('OVERLOADED')));
    for (let count = 0; count < 12; count += 1)
      await expect(guess(link, 'right')).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(hashes()).toBe(12);
  });
});
