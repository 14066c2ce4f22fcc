import { describe, expect, it } from 'vitest';
import { createGathered } from './gathered.ts';

/** Calls that end when the test says so. */
function recording(limits: { maxItems: number; maxCalls: number }) {
  const calls: {
    items: readonly number[];
    end: (outcomes: readonly string[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const ask = createGathered<number, string>({
    ...limits,
    work(items) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      calls.push({ items, end: resolve, fail: reject });
      return promise;
    },
  });
  return { ask, calls };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('items that come at about the same time', () => {
  it('go out in one call, and each gets its own outcome', async () => {
    const { ask, calls } = recording({ maxItems: 10, maxCalls: 1 });
    const asked = [1, 2, 3].map(ask);
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    calls[0]?.end(['a', 'b', 'c']);
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  });

  it('wait for a call that began before, and then go out together', async () => {
    const { ask, calls } = recording({ maxItems: 10, maxCalls: 1 });
    const first = ask(1);
    await turn();
    const later = [ask(2), ask(3)];
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.end(['a']);
    await first;
    await turn();
    expect(calls[1]?.items).toEqual([2, 3]);
    calls[1]?.end(['b', 'c']);
    expect(await Promise.all(later)).toEqual(['b', 'c']);
  });

  it('go out in as many calls as the limits ask for', async () => {
    const { ask, calls } = recording({ maxItems: 2, maxCalls: 2 });
    for (let n = 1; n <= 5; n += 1) void ask(n);
    await turn();
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('all fail with their call, and those after them do not', async () => {
    const { ask, calls } = recording({ maxItems: 10, maxCalls: 1 });
    const asked = [ask(1), ask(2)];
    await turn();
    calls[0]?.fail(new Error('away'));
    for (const outcome of await Promise.allSettled(asked)) expect(outcome.status).toBe('rejected');
    const next = ask(3);
    await turn();
    calls[1]?.end(['c']);
    expect(await next).toBe('c');
  });
});
