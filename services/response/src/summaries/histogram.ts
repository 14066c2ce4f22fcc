import type { HistogramBin } from './summary.ts';

/** Up to this many distinct numbers have a bin each. */
const MAX_SINGLE_BINS = 100;
/** Maximum number of bins of equal width. */
const MAX_RANGES = 20;
/** Digits of the limits of bins. */
const LIMIT_DIGITS = 12;
/**
 * Maximum number of a bin, counted from 0. A limit is a bin number times a width of one digit, and must fit in
 * `LIMIT_DIGITS`.
 */
const MAX_BIN = 10 ** (LIMIT_DIGITS - 1);

/**
 * Returns the bins of a histogram, in order. A bin with equal limits counts one number. Any other bin counts numbers
 * from `from` to below `to`, possibly none.
 *
 * @param scale numbers that have a bin even if nobody chose them
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

function toRanges(frequencies: ReadonlyMap<number, number>, min: number, max: number): readonly HistogramBin[] {
  const width = roundWidth((max - min) / (MAX_RANGES - 1));
  const first = binOf(min, width);
  const count = binOf(max, width) - first + 1;
  // The numbers are too far apart, or too close to each other, for the precision of limits.
  if (!Number.isFinite(width) || !(Math.abs(first) < MAX_BIN && count > 0 && count <= MAX_RANGES)) return [];
  const counts = new Array<number>(count).fill(0);
  for (const [number, frequency] of frequencies) {
    const index = binOf(number, width) - first;
    counts[index] = (counts[index] ?? 0) + frequency;
  }
  return counts.map((inBin, index) => ({
    from: toLimit(first + index, width),
    to: toLimit(first + index + 1, width),
    count: inBin,
  }));
}

/** Rounds up to 1, 2, 5, 10, 20, 50 … */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return ([1, 2, 5].find((digit) => digit * power >= width) ?? 10) * power;
}

/**
 * Returns the bin whose limits include a number. The quotient is rounded and can miss the bin by one, as 0.3 / 0.1
 * does.
 */
function binOf(number: number, width: number): number {
  const bin = Math.floor(number / width);
  if (number >= toLimit(bin + 1, width)) return bin + 1;
  return number < toLimit(bin, width) ? bin - 1 : bin;
}

/** Removes rounding errors such as that of 3 × 0.1. */
function toLimit(index: number, width: number): number {
  return Number((index * width).toPrecision(LIMIT_DIGITS));
}
