import { describe, expect, it } from 'vitest';
import { createKeyedMutex } from './survey-store.ts';

describe('a keyed mutex', () => {
  it('runs tasks of one key in the order of the calls, after a failure too', async () => {
    const lock = createKeyedMutex({ maxWaiting: 10 });
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'a') throw new Error(name);
      return name;
    };
    const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => lock('key', work(name))));
    expect(done.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('runs tasks of different keys concurrently', async () => {
    const lock = createKeyedMutex({ maxWaiting: 10 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = lock('one', () => promise);
    expect(await lock('another', async () => 'done')).toBe('done');
    resolve('first');
    expect(await first).toBe('first');
  });

  it('rejects a call while too many tasks of its key wait', async () => {
    const lock = createKeyedMutex({ maxWaiting: 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const [running, waiting] = [lock('key', () => promise), lock('key', async () => 'second')];
    await expect(lock('key', async () => 'third')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    resolve('first');
    expect(await Promise.all([running, waiting])).toEqual(['first', 'second']);
    expect(await lock('key', async () => 'third')).toBe('third');
  });
});
