import { describe, expect, it } from 'vitest';
import fixture from './fixtures/statistics.json' with { type: 'json' };
import { meanInterval, testIndependence } from './statistics.ts';

describe('statistics equal those of another program', () => {
  it('names the program', () => {
    expect(fixture.program).toMatch(/^SciPy \d+\.\d+\.\d+/);
  });

  it.each(fixture.tests)('the test of $table', ({ table, chi_squared, degrees_of_freedom, p, cramers_v }) => {
    expect(testIndependence(table)).toEqual({
      chiSquared: expect.closeTo(chi_squared, 8),
      degreesOfFreedom: degrees_of_freedom,
      p: expect.closeTo(p, 9),
      cramersV: expect.closeTo(cramers_v, 9),
    });
  });

  it.each(fixture.intervals)('the interval of the mean of $numbers', ({ numbers, mean, low, high }) => {
    const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
    expect(meanInterval(mean, numbers.length, squares)).toEqual({
      low: expect.closeTo(low, 5),
      high: expect.closeTo(high, 5),
    });
  });
});

describe('a table is not tested', () => {
  it.each([
    [[], 'too_few_cells'],
    [[[0, 0]], 'too_few_cells'],
    [[[10, 20, 30]], 'too_few_cells'],
    [
      [
        [10, 0],
        [20, 0],
      ],
      'too_few_cells',
    ],
    [
      [
        [8, 8],
        [1, 2],
      ],
      'low_expected_count',
    ],
  ] as const)('%j: %s', (table, reason) => {
    expect(testIndependence(table)).toBe(reason);
  });

  it('because of lines without counts: they are left out', () => {
    const table = [
      [25, 0, 30],
      [0, 0, 0],
      [20, 0, 40],
    ];
    expect(testIndependence(table)).toEqual(
      testIndependence([
        [25, 30],
        [20, 40],
      ]),
    );
    expect(testIndependence(table)).toMatchObject({ degreesOfFreedom: 1 });
  });
});

describe('the interval of a mean', () => {
  it('needs two numbers', () => {
    expect(meanInterval(3, 1, 0)).toBeUndefined();
    expect(meanInterval(3, 2, 0)).toEqual({ low: 3, high: 3 });
  });

  it('is omitted if it is not finite', () => {
    expect(meanInterval(1e308, 2, Number.POSITIVE_INFINITY)).toBeUndefined();
  });
});
