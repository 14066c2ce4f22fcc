import jstat from 'jstat';

/** Pearson's chi-squared test of independence, without Yates' correction. */
export interface IndependenceTest {
  readonly chiSquared: number;
  readonly degreesOfFreedom: number;
  /** Probability of a result at least as large if the variables are independent. Accurate to 1e-9; 0 below 1e-15. */
  readonly p: number;
  /** Strength of the association: 0 to 1. */
  readonly cramersV: number;
}

/** A confidence interval of a mean, with a level of 95 %. */
export interface MeanInterval {
  readonly low: number;
  readonly high: number;
}

/** The approximation by the chi-squared distribution needs expected counts of at least this number. */
const MIN_EXPECTED = 5;
/** Each side of an interval with a level of 95 % misses the mean with a probability of 2.5 %. */
const UPPER_QUANTILE = 0.975;

/**
 * Tests whether the rows and columns of a table are independent. Rows and columns without counts have no information, so
 * they are left out.
 *
 * @param table counts by row and column
 */
export function testIndependence(
  table: readonly (readonly number[])[],
): IndependenceTest | 'too_few_cells' | 'low_expected_count' {
  const rowSums = table.map(sum);
  const columnSums = (table[0] ?? []).map((_, column) => sum(table.map((row) => row[column] ?? 0)));
  const total = sum(rowSums);
  const [rows, columns] = [rowSums, columnSums].map((sums) => sums.filter((count) => count > 0)) as [
    number[],
    number[],
  ];
  const smaller = Math.min(rows.length, columns.length);
  if (smaller < 2) return 'too_few_cells';
  if ((Math.min(...rows) * Math.min(...columns)) / total < MIN_EXPECTED) return 'low_expected_count';
  let chiSquared = 0;
  for (const [row, counts] of table.entries())
    for (const [column, count] of counts.entries()) {
      const expected = ((rowSums[row] ?? 0) * (columnSums[column] ?? 0)) / total;
      if (expected > 0) chiSquared += (count - expected) ** 2 / expected;
    }
  const degreesOfFreedom = (rows.length - 1) * (columns.length - 1);
  const p = 1 - jstat.chisquare.cdf(chiSquared, degreesOfFreedom);
  // Rounding errors can exceed the limits of 0 and 1.
  const cramersV = Math.min(1, Math.sqrt(chiSquared / (total * (smaller - 1))));
  return { chiSquared, degreesOfFreedom, p: Math.min(1, Math.max(0, p)), cramersV };
}

/**
 * Returns the interval of a mean by Student's t-distribution. Undefined for fewer than two numbers, or if it is not
 * finite.
 *
 * @param squares sum of the squared deviations from the mean
 */
export function meanInterval(mean: number, count: number, squares: number): MeanInterval | undefined {
  if (count < 2) return undefined;
  const standardError = Math.sqrt(squares / (count - 1) / count);
  const distance = jstat.studentt.inv(UPPER_QUANTILE, count - 1) * standardError;
  const interval = { low: mean - distance, high: mean + distance };
  return Number.isFinite(interval.low) && Number.isFinite(interval.high) ? interval : undefined;
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
