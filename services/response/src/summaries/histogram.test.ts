import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHistogram } from './number-tally.ts';

function histogramOf(numbers: readonly number[], scale?: readonly number[]) {
  const frequencies = new Map<number, number>();
  for (const number of numbers) frequencies.set(number, (frequencies.get(number) ?? 0) + 1);
  return toHistogram(frequencies, scale);
}

describe('a histogram', () => {
  it('has a bin for each number, and for those of the scale that nobody chose', () => {
    expect(histogramOf([3, 1, 3, 7], [1, 2, 3])).toEqual([
      { from: 1, to: 1, count: 1 },
      { from: 2, to: 2, count: 0 },
      { from: 3, to: 3, count: 2 },
      { from: 7, to: 7, count: 1 },
    ]);
    expect(histogramOf([])).toEqual([]);
  });

  it('has bins of a round width for many numbers', () => {
    const bins = histogramOf(Array.from({ length: 101 }, (_, index) => index / 100));
    expect(bins).toHaveLength(11);
    expect(bins.slice(0, 4)).toEqual([
      { from: 0, to: 0.1, count: 10 },
      { from: 0.1, to: 0.2, count: 10 },
      { from: 0.2, to: 0.3, count: 10 },
      { from: 0.3, to: 0.4, count: 10 },
    ]);
    expect(bins.at(-1)).toEqual({ from: 1, to: 1.1, count: 1 });
  });

  it.each([
    ['large', (n: number) => n * 1e306],
    ['large and close', (n: number) => 1e300 + n * 1e285],
    ['close', (n: number) => 1e9 + n * 1e-6],
    ['far apart', (n: number) => (n - 50) * 3e306],
    ['small', (n: number) => n * Number.MIN_VALUE],
  ])('is empty or complete for numbers that are %s', (_, toNumber) => {
    const numbers = Array.from({ length: 101 }, (_, n) => toNumber(n));
    const bins = histogramOf(numbers);
    expect([0, numbers.length]).toContain(bins.reduce((sum, { count }) => sum + count, 0));
    for (const { from, to } of bins) expect(from).toBeLessThan(to);
  });

  it('counts each number once, in its bin', () => {
    const finite = fc.oneof(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.integer({ min: -1_000, max: 1_000 }).map((cents) => cents / 100),
    );
    // Turns -0 into 0, which has the same bin.
    const number = finite.map((one) => one + 0);
    fc.assert(
      fc.property(fc.uniqueArray(number, { minLength: 101, maxLength: 300 }), (numbers) => {
        const bins = histogramOf(numbers);
        expect(bins.length).toBeGreaterThan(0);
        expect(bins.length).toBeLessThanOrEqual(20);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
        expect(bins[0]?.from).toBeLessThanOrEqual(Math.min(...numbers));
        expect(bins.at(-1)?.to).toBeGreaterThan(Math.max(...numbers));
        for (const [index, { from, to, count }] of bins.entries()) {
          if (index > 0) expect(from).toBe(bins[index - 1]?.to);
          expect(count).toBe(numbers.filter((number) => number >= from && number < to).length);
        }
      }),
      { numRuns: 50 },
    );
  });
});
