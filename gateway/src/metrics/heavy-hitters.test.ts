import { describe, expect, it } from 'vitest';
import { createHeavyHitters } from './request-series.ts';

describe('heavy hitters', () => {
  it('are counted exactly while there is room', () => {
    const hitters = createHeavyHitters({ capacity: 3 });
    for (const key of ['a', 'b', 'c', 'a', 'c', 'a']) hitters.add(key);
    expect(hitters.list()).toEqual([
      { key: 'a', weight: 3 },
      { key: 'c', weight: 2 },
      { key: 'b', weight: 1 },
    ]);
  });

  it('stay among many rare keys, and their weights are within the promised error', () => {
    const capacity = 100;
    const hitters = createHeavyHitters({ capacity });
    const exact = new Map<string, number>();
    let total = 0;
    const add = (key: string) => {
      hitters.add(key);
      exact.set(key, (exact.get(key) ?? 0) + 1);
      total += 1;
    };
    for (let round = 0; round < 500; round += 1) {
      for (let heavy = 0; heavy < 10; heavy += 1) for (let times = 0; times <= heavy; times += 1) add(`heavy ${heavy}`);
      for (let rare = 0; rare < 20; rare += 1) add(`rare ${(round * 20 + rare) % 7_919}`);
    }
    const found = hitters.list();
    expect(found).toHaveLength(capacity);
    for (const { key, weight } of found) {
      expect(weight).toBeGreaterThanOrEqual(exact.get(key) ?? 0);
      expect(weight - (exact.get(key) ?? 0)).toBeLessThanOrEqual(total / capacity);
    }
    expect(found.slice(0, 5).map(({ key }) => key)).toEqual([9, 8, 7, 6, 5].map((heavy) => `heavy ${heavy}`));
    expect(found.reduce((sum, { weight }) => sum + weight, 0)).toBe(total);
  });

  it('give way to newer ones after a decay', () => {
    const hitters = createHeavyHitters({ capacity: 2 });
    for (let times = 0; times < 8; times += 1) hitters.add('old');
    hitters.decay(0.25);
    for (const key of ['new', 'new', 'new']) hitters.add(key);
    expect(hitters.list()).toEqual([
      { key: 'new', weight: 3 },
      { key: 'old', weight: 2 },
    ]);
  });
});
