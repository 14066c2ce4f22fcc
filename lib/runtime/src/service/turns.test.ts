import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

describe('turns', () => {
  it('are taken one after the other under one key, in the order of coming, after a failure too', async () => {
    const turns = createTurns({ longest: 10 });
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'a') throw new Error(name);
      return name;
    };
    const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns('key', work(name))));
    expect(done.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('under another key wait for nobody', async () => {
    const turns = createTurns({ longest: 10 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = turns('one', () => promise);
    expect(await turns('another', async () => 'done')).toBe('done');
    resolve('first');
    expect(await first).toBe('first');
  });

  it('are refused where too many wait, until there is room again', async () => {
    const turns = createTurns({ longest: 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const [running, waiting] = [turns('key', () => promise), turns('key', async () => 'second')];
    await expect(turns('key', async () => 'third')).rejects.toMatchObject({
      reason: 'UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    resolve('first');
    expect(await Promise.all([running, waiting])).toEqual(['first', 'second']);
    expect(await turns('key', async () => 'third')).toBe('third');
  });
});
