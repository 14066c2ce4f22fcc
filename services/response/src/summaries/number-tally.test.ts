import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNumberTally } from './number-tally.ts';

function summaryOf(numbers: readonly number[], left = 1_000) {
  const tally = createNumberTally({ left });
  for (const number of numbers) tally.add(number);
  return tally.summary();
}

describe('statistics of numbers', () => {
  it.each<[readonly number[], object]>([
    [[], {}],
    [[3], { mean: 3, median: 3, stddev: 0, min: 3, max: 3 }],
    [[5, 1], { mean: 3, median: 3, stddev: 2, min: 1, max: 5 }],
    [[1, 2, 2, 10], { mean: 3.75, median: 2, min: 1, max: 10 }],
    [[-1, 0, 0.5], { mean: -0.5 / 3, median: 0, min: -1, max: 0.5 }],
    [[1e308, 1e308], { mean: 1e308, median: 1e308, min: 1e308, max: 1e308 }],
    [[Number.POSITIVE_INFINITY, 2], { mean: 2, median: 2, stddev: 0, min: 2, max: 2 }],
  ])('of %j', (numbers, summary) => {
    expect(summaryOf(numbers)).toMatchObject(summary);
    const { histogram: _, ...statistics } = summaryOf(numbers);
    expect(Object.values(statistics).every(Number.isFinite)).toBe(true);
  });

  it('have a mean although the sum overflows, also if parts are counted separately', () => {
    const numbers = [1e308, 1e308, -1e308, 0.1, 9_007_199_254_740_992, -0];
    expect(Number(summaryOf(numbers).mean) / (1e308 / 6)).toBeCloseTo(1, 9);
    const [total, ...parts] = [[], numbers.slice(0, 2), numbers.slice(2)].map((some) => {
      const tally = createNumberTally({ left: 100 });
      for (const number of some) tally.add(number);
      return tally;
    });
    for (const part of parts) total?.merge(part);
    expect(Number(total?.summary().mean) / (1e308 / 6)).toBeCloseTo(1, 9);
  });

  it('are exact for large, close numbers', () => {
    expect(summaryOf([1e9, 1e9 + 1, 1e9 + 2]).stddev).toBeCloseTo(Math.sqrt(2 / 3), 9);
  });

  it('have the median of all numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }), (numbers) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const [lower = 0, upper = 0] = [
          sorted[Math.ceil(sorted.length / 2) - 1],
          sorted[Math.floor(sorted.length / 2)],
        ];
        expect(summaryOf(numbers).median).toBeCloseTo((lower + upper) / 2, 12);
      }),
    );
  });

  it('are the same if parts are counted separately', () => {
    const some = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }));
    fc.assert(
      fc.property(some, some, (first, second) => {
        const [total, other] = [createNumberTally({ left: 1_000 }), createNumberTally({ left: 1_000 })];
        for (const number of first) total.add(number);
        for (const number of second) other.add(number);
        total.merge(other);
        const { stddev, ...exact } = summaryOf([...first, ...second]);
        const { stddev: absorbed, ...rest } = total.summary();
        expect(rest).toEqual(exact);
        if (stddev !== undefined) expect(absorbed).toBeCloseTo(stddev, 5);
        else expect(absorbed).toBeUndefined();
      }),
    );
  });

  it('counted separately are exact for large, close numbers, and have no median if a part has none', () => {
    const [total, few] = [createNumberTally({ left: 2 }), createNumberTally({ left: 1 })];
    total.add(1e9);
    for (const number of [1e9 + 1, 1e9 + 2]) few.add(number);
    total.merge(few);
    expect(total.summary().stddev).toBeCloseTo(Math.sqrt(2 / 3), 9);
    expect(total.summary().median).toBeUndefined();
  });

  it('have no median if there are too many distinct numbers, but all other values', () => {
    expect(summaryOf([1, 2, 3, 3], 3)).toHaveProperty('median', 2.5);
    const { median, ...rest } = summaryOf([1, 2, 3, 3], 2);
    expect(median).toBeUndefined();
    expect(rest).toMatchObject({ mean: 2.25, min: 1, max: 3 });
  });

  it('return their budget if there are too many distinct numbers', () => {
    const distinct = { left: 2 };
    const tally = createNumberTally(distinct);
    for (const number of [1, 2, 3, 4]) tally.add(number);
    expect(distinct.left).toBe(2);
  });
});
