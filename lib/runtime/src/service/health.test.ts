import { describe, expect, it } from 'vitest';
import { createHealth } from './health.ts';

describe('createHealth', () => {
  it('is ready when every check holds and the process serves', async () => {
    let now = 0;
    let works = true;
    const health = createHealth(
      { database: async () => (works ? undefined : Promise.reject(new Error('away'))) },
      () => now,
    );
    expect(await health.isReady()).toBe(false);
    health.setServing(true);
    expect(await health.isReady()).toBe(true);
    works = false;
    now += 2_000;
    expect([await health.isReady(), await health.check()]).toEqual([false, { database: false }]);
    works = true;
    now += 2_000;
    expect(await health.isReady()).toBe(true);
    health.setServing(false);
    expect([health.ready, await health.isReady()]).toEqual([false, false]);
  });

  it('asks a dependency once for callers that come together or soon after', async () => {
    let now = 0;
    let asked = 0;
    const count = async () => {
      asked += 1;
    };
    const health = createHealth({ database: count }, () => now);
    await Promise.all([health.check(), health.check()]);
    now += 900;
    await health.check();
    expect(asked).toBe(1);
    now += 200;
    await health.check();
    expect(asked).toBe(2);
  });

  it('takes a dependency that does not answer for one that is away', async () => {
    const health = createHealth({ queue: () => new Promise(() => {}) });
    expect(await health.check()).toEqual({ queue: false });
  });
});
