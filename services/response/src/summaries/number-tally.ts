import type { HistogramBin, NetPromoterScore, NumberSummary } from './summary.ts';

/** Limits the memory of counts. */
export interface DistinctBudget {
  /** Number of distinct numbers that all questions together can still count. */
  left: number;
  /** Maximum number of days of each question. If it is exceeded, the question has only the number of answers. */
  readonly maxDays?: number;
}

export interface NumberCounts {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Mean and sum of squared deviations, by Welford's algorithm. It stays accurate for large, close numbers. */
  mean: number;
  squares: number;
  /** Frequency of each number. Undefined if there are too many distinct numbers. */
  frequencies: Map<number, number> | undefined;
}

const PROMOTER = 9;
const PASSIVE = 7;
/** The scale of the net promoter score: 0 to 10. */
const NPS_SCALE = Array.from({ length: 11 }, (_, number) => number).join();

/** Statistics of numbers. Memory grows with the number of distinct numbers. */
export function createNumberTally(distinct: DistinctBudget) {
  const counted: NumberCounts = {
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    mean: 0,
    squares: 0,
    frequencies: new Map(),
  };
  const scale = new Set<number>();
  /** Whether all versions have the scale of the net promoter score. */
  let hasNps: boolean | undefined;

  function addFrequency(number: number, count: number): void {
    const known = counted.frequencies?.get(number);
    if (known === undefined && distinct.left === 0) dropFrequencies();
    if (known === undefined && counted.frequencies !== undefined) distinct.left -= 1;
    counted.frequencies?.set(number, (known ?? 0) + count);
  }

  /** Moves the mean toward the mean of other numbers. `share` is their fraction of all numbers, above 0. */
  function moveMean(mean: number, share: number): void {
    const distance = mean - counted.mean;
    // The distance of very large numbers overflows. Their weighted parts do not.
    counted.mean = Number.isFinite(distance)
      ? counted.mean + distance * share
      : counted.mean * (1 - share) + mean * share;
  }

  function dropFrequencies(): void {
    distinct.left += counted.frequencies?.size ?? 0;
    counted.frequencies = undefined;
  }

  return {
    counted,

    /** Adds the numbers that respondents can choose in a version. Undefined if the numbers cannot be listed. */
    addScale(numbers: readonly number[] | undefined): void {
      for (const number of numbers ?? []) scale.add(number);
      hasNps = hasNps !== false && numbers?.join() === NPS_SCALE;
    },

    add(number: number): void {
      // An answer to a text question with the format `number` can exceed the range of JavaScript numbers.
      if (!Number.isFinite(number)) return;
      counted.count += 1;
      counted.sum += number;
      counted.min = Math.min(counted.min, number);
      counted.max = Math.max(counted.max, number);
      const distance = number - counted.mean;
      moveMean(number, 1 / counted.count);
      counted.squares += distance * (number - counted.mean);
      addFrequency(number, 1);
    },

    merge({ counted: other }: { readonly counted: Readonly<NumberCounts> }): void {
      if (other.count === 0) return;
      const before = counted.count;
      counted.count += other.count;
      counted.sum += other.sum;
      counted.min = Math.min(counted.min, other.min);
      counted.max = Math.max(counted.max, other.max);
      const distance = other.mean - counted.mean;
      moveMean(other.mean, other.count / counted.count);
      counted.squares += other.squares + distance ** 2 * ((before * other.count) / counted.count);
      if (other.frequencies === undefined) dropFrequencies();
      else for (const [number, frequency] of other.frequencies) addFrequency(number, frequency);
    },

    summary(): NumberSummary {
      const { count, sum, squares, min, max, frequencies } = counted;
      // The sum gives a more exact mean, unless it overflows.
      const mean = Number.isFinite(sum) ? sum / count : counted.mean;
      const median = frequencies === undefined ? Number.NaN : medianOf(frequencies, count);
      const numbers = { mean, median, stddev: Math.sqrt(squares / count), min, max };
      return {
        ...Object.fromEntries(Object.entries(numbers).filter(([, number]) => Number.isFinite(number))),
        ...(frequencies && { histogram: toHistogram(frequencies, scale) }),
        ...(frequencies && count > 0 && hasNps && { nps: toNps(frequencies, count) }),
      };
    },
  };
}

export function toNps(frequencies: ReadonlyMap<number, number>, count: number): NetPromoterScore {
  let [promoters, passives] = [0, 0];
  for (const [number, frequency] of frequencies) {
    if (number >= PROMOTER) promoters += frequency;
    else if (number >= PASSIVE) passives += frequency;
  }
  const detractors = count - promoters - passives;
  return { promoters, passives, detractors, score: (100 * (promoters - detractors)) / count };
}

function medianOf(frequencies: ReadonlyMap<number, number>, total: number): number {
  const numbers = Float64Array.from(frequencies.keys()).sort();
  let seen = 0;
  let lower: number | undefined;
  for (const number of numbers) {
    seen += frequencies.get(number) ?? 0;
    if (lower === undefined && seen * 2 >= total) lower = number;
    if (lower !== undefined && seen * 2 > total) return lower / 2 + number / 2;
  }
  return Number.NaN;
}

/** Up to this many distinct numbers, each number has its own bin. */
export const MAX_SINGLE_BINS = 100;
/** Maximum number of bins of equal width. */
const MAX_RANGES = 20;
/** Maximum number of digits of an edge. */
const EDGE_DIGITS = 12;
/** Maximum index of a bin. The width has one digit, and an edge (index times width) has `EDGE_DIGITS`. */
const MAX_INDEX = 10 ** (EDGE_DIGITS - 1);

/**
 * Returns the bins of a histogram, in order. A bin with equal edges counts one number. Any other bin counts numbers
 * from `from` to below `to`, possibly none.
 *
 * @param scale numbers that have a bin even if no respondent chose them
 */
export function toHistogram(
  frequencies: ReadonlyMap<number, number>,
  scale: Iterable<number> = [],
): readonly HistogramBin[] {
  const numbers = Float64Array.from(new Set([...scale, ...frequencies.keys()])).sort();
  if (numbers.length <= MAX_SINGLE_BINS)
    return Array.from(numbers, (number) => ({ from: number, to: number, count: frequencies.get(number) ?? 0 }));
  return toRanges(frequencies, numbers[0] ?? 0, numbers.at(-1) ?? 0);
}

/** Counts numbers in the bins of another histogram, which includes them. */
export function countInBins(
  bins: readonly HistogramBin[],
  frequencies: ReadonlyMap<number, number>,
): readonly number[] {
  const counts = bins.map(() => 0);
  const starts = bins.map(({ from }) => from);
  for (const [number, frequency] of frequencies) {
    // The last bin that does not start after the number.
    const index = starts.findLastIndex((start) => start <= number);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + frequency;
  }
  return counts;
}

function toRanges(frequencies: ReadonlyMap<number, number>, min: number, max: number): readonly HistogramBin[] {
  const width = roundWidth((max - min) / (MAX_RANGES - 1));
  const first = binOf(min, width);
  const count = binOf(max, width) - first + 1;
  // The edges are not precise enough for these numbers.
  if (!Number.isFinite(width) || !(Math.abs(first) < MAX_INDEX && count > 0 && count <= MAX_RANGES)) return [];
  const counts = new Array<number>(count).fill(0);
  for (const [number, frequency] of frequencies) {
    const index = binOf(number, width) - first;
    counts[index] = (counts[index] ?? 0) + frequency;
  }
  return counts.map((inBin, index) => ({
    from: toEdge(first + index, width),
    to: toEdge(first + index + 1, width),
    count: inBin,
  }));
}

/** Rounds up to 1, 2, 5, 10, 20, 50 … */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return ([1, 2, 5].find((digit) => digit * power >= width) ?? 10) * power;
}

/** Returns the bin that includes a number. The rounded quotient can miss the bin by one, as 0.3 / 0.1 does. */
function binOf(number: number, width: number): number {
  const bin = Math.floor(number / width);
  if (number >= toEdge(bin + 1, width)) return bin + 1;
  return number < toEdge(bin, width) ? bin - 1 : bin;
}

/** Removes rounding errors, such as the error of 3 × 0.1. */
function toEdge(index: number, width: number): number {
  return Number((index * width).toPrecision(EDGE_DIGITS));
}
