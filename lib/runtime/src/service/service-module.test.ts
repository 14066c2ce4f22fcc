import { describe, expect, it } from 'vitest';
import { createModules, mergeModules } from './service-module.ts';

const worker = (name: string) => ({ name, stop: async () => undefined });
const index = (name: string) => ({ name, key: { [name]: 1 } }) as const;

describe('mergeModules', () => {
  it('keeps the order of the modules, all indexes of a collection, and each topic once', () => {
    const [a, b, c] = [worker('a'), worker('b'), worker('c')];
    const merged = mergeModules([
      { indexes: { things: [index('one')] }, topics: ['events'], workers: [a], pollers: [c] },
      { indexes: { things: [index('two')], others: [] }, topics: ['events', 'more'], workers: [b] },
      {},
    ]);
    expect(merged).toEqual({
      handlers: [],
      indexes: { things: [index('one'), index('two')], others: [] },
      topics: ['events', 'more'],
      pollers: [c],
      workers: [a, b],
      connections: [],
    });
  });
});

describe('createModules', () => {
  it('collects modules and returns what each one offers to others', () => {
    const modules = createModules();
    const first = { topics: ['events'], api: { answer: 42 } };
    const second = { topics: ['more'] };
    expect(modules.add(first).answer).toBe(42);
    expect(modules.add(second)).toBeUndefined();
    expect(modules.all).toEqual([first, second]);
  });
});
