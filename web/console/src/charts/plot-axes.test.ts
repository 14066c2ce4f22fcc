import { expect, it } from 'vitest';
import { countTicks } from './plot-axes.ts';

it.each([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [11, [0, 5, 10]],
  [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])('has whole round numbers up to %d', (most, ticks) => {
  expect(countTicks(most)).toEqual(ticks);
});
