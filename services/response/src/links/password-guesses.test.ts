import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { LockedLink } from './link-pass.ts';
import { createPasswordGuesses } from './password-guesses.ts';

const toLink = (id: string, passwordHash = 'right'): LockedLink => ({ id, tenantId: toTenantId('t'), passwordHash });
const link = toLink('l');
const tooMany = (retryAfterSeconds: number) => ({
  retryAfterSeconds,
  quota: { name: 'passwords', requests: 10, windowSeconds: 60 },
});

/** Guesses at passwords that are their hash; how many were looked at, and a clock that a test moves. */
function startGuessing(isPassword = async (hash: string, password: string) => hash === password) {
  let time = 1;
  let looks = 0;
  const refusals: string[] = [];
  const guessPassword = createPasswordGuesses({
    isPassword(hash, password) {
      looks += 1;
      return isPassword(hash, password);
    },
    countRefusal: (limit) => refusals.push(limit),
    now: () => time,
  });
  const guess = (at: LockedLink, password: string, client = 'c1') => guessPassword(at, { client, password });
  return {
    guess,
    refusals,
    looks: () => looks,
    pass: (ms: number) => {
      time += ms;
    },
    async guessWrongly(times: number, client?: string) {
      for (let count = 0; count < times; count += 1) expect(await guess(link, `wrong ${count}`, client)).toBe('wrong');
    },
  };
}

describe('guesses at the password of a link', () => {
  it('are ten wrong ones a minute, whatever comes after them is not looked at', async () => {
    const { guess, guessWrongly, looks, pass } = startGuessing();
    await guessWrongly(5);
    pass(20_000);
    expect(await guess(link, 'right')).toBe('right');
    await guessWrongly(5);
    expect(await guess(link, 'right')).toEqual(tooMany(40));
    expect(looks()).toBe(11);
    pass(40_001);
    expect(await guess(link, 'right')).toBe('right');
    await guessWrongly(10);
    expect(await guess(link, 'wrong')).toEqual(tooMany(60));
  });

  it('are ten of each client, so that nobody keeps the visitors of a link out', async () => {
    const { guess, guessWrongly, refusals } = startGuessing();
    await guessWrongly(10, 'c1');
    expect(await guess(link, 'right', 'c1')).toEqual(tooMany(60));
    expect(await guess(link, 'right', 'c2')).toBe('right');
    expect(refusals).toEqual(['passwords']);
  });

  it('are a hundred of all clients together', async () => {
    const { guess, guessWrongly, pass } = startGuessing();
    for (let client = 0; client < 10; client += 1) await guessWrongly(10, `c${client}`);
    pass(1_000);
    expect(await guess(link, 'right', 'another')).toEqual(tooMany(59));
    pass(59_001);
    expect(await guess(link, 'right', 'another')).toBe('right');
  });

  it('take nothing from those at another link, or at another password of this one', async () => {
    const { guess, guessWrongly } = startGuessing();
    await guessWrongly(10);
    expect(await guess(toLink('other'), 'right')).toBe('right');
    expect(await guess(toLink(link.id, 'changed'), 'changed')).toBe('right');
  });

  it('are a few at the same time, never more than are left', async () => {
    const { guess, guessWrongly, looks } = startGuessing();
    const guessAll = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => guess(link, `guess ${index}`)));
    expect(await guessAll(6)).toEqual([...Array(4).fill('wrong'), ...Array(2).fill(tooMany(1))]);
    await guessWrongly(4);
    expect(await guessAll(6)).toEqual([...Array(2).fill('wrong'), ...Array(4).fill(tooMany(1))]);
    expect(looks()).toBe(10);
    expect(await guess(link, 'right')).toEqual(tooMany(60));
  });

  it('are one where they are the same at the same time', async () => {
    const { guess, looks } = startGuessing();
    const visitors = Array.from({ length: 30 }, () => guess(link, 'right'));
    expect(await Promise.all(visitors)).toEqual(Array(30).fill('right'));
    expect(looks()).toBe(1);
  });

  it('that nobody had time to look at are not counted', async () => {
    const { guess, looks } = startGuessing(() => Promise.reject(new AppError('OVERLOADED')));
    for (let count = 0; count < 12; count += 1)
      await expect(guess(link, 'right')).rejects.toMatchObject({ reason: 'OVERLOADED' });
    expect(looks()).toBe(12);
  });
});
