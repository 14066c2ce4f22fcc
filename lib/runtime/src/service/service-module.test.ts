import { describe, expect, it } from 'vitest';
import { createModules, mergeModules } from './service-module.ts';

const worker = (name: string) => ({ name, stop: async () => undefined });
const index = (name: string) => ({ name, key: { [name]: 1 } }) as const;

describe('mergeModules', () => {
  it('keeps the order of the modules, all indexes of a collection, and each topic once', async () => {
    const done: string[] = [];
    const setup = (name: string) => async () => void done.push(name);
    const [a, b, c] = [worker('a'), worker('b'), worker('c')];
    const merged = mergeModules([
      {
        indexes: { things: [index('one')] },
        topics: ['events'],
        stoppedLast: [a],
        stoppedFirst: [c],
        setup: setup('a'),
      },
      {
        indexes: { things: [index('two')], others: [] },
        topics: ['events', 'more'],
        stoppedLast: [b],
        setup: setup('b'),
      },
      {},
    ]);
    expect(merged).toEqual({
      handlers: [],
      indexes: { things: [index('one'), index('two')], others: [] },
      topics: ['events', 'more'],
      stoppedFirst: [c],
      stoppedLast: [a, b],
      connections: [],
      setup: expect.any(Function),
    });
    await merged.setup();
    expect(done).toEqual(['a', 'b']);
  });
});

describe('createModules', () => {
  it('collects modules and returns what each one offers to others', () => {
    const modules = createModules();
    const first = { topics: ['events'], provides: { answer: 42 } };
    const second = { topics: ['more'] };
    expect(modules.add(first).answer).toBe(42);
    expect(modules.add(second)).toBeUndefined();
    expect(modules.all).toEqual([first, second]);
  });
});
