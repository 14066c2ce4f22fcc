import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import type { LockedLink } from './link-pass.ts';
import { createPasswordGuesses } from './password-guesses.ts';

const toLink = (id: string, passwordHash = 'right'): LockedLink => ({ id, tenantId: toTenantId('t'), passwordHash });
const link = toLink('l');

/** Guesses at passwords that are their hash; how many were looked at, and a clock that a test moves. */
function startGuessing(isPassword = async (hash: string, password: string) => hash === password) {
  let time = 1;
  let looks = 0;
  const guess = createPasswordGuesses({
    isPassword(hash, password) {
      looks += 1;
      return isPassword(hash, password);
    },
    now: () => time,
  });
  return {
    guess,
    looks: () => looks,
    pass: (ms: number) => {
      time += ms;
    },
    async guessWrongly(times: number) {
      for (let count = 0; count < times; count += 1) expect(await guess(link, `wrong ${count}`)).toBe('wrong');
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
    expect(await guess(link, 'right')).toEqual({ retryAfterSeconds: 40 });
    expect(looks()).toBe(11);
    pass(40_001);
    expect(await guess(link, 'right')).toBe('right');
    await guessWrongly(10);
    expect(await guess(link, 'wrong')).toEqual({ retryAfterSeconds: 60 });
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
    expect(await guessAll(6)).toEqual([...Array(4).fill('wrong'), ...Array(2).fill({ retryAfterSeconds: 1 })]);
    await guessWrongly(4);
    expect(await guessAll(6)).toEqual([...Array(2).fill('wrong'), ...Array(4).fill({ retryAfterSeconds: 1 })]);
    expect(looks()).toBe(10);
    expect(await guess(link, 'right')).toEqual({ retryAfterSeconds: 60 });
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
