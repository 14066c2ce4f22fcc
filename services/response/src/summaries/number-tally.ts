import type { NumberSummary } from './summary.ts';

/** How many more different numbers may be told apart. */
export interface Distinct {
  left: number;
}

/** Counts numbers, in as much memory as there are different ones. */
export interface NumberTally {
  readonly counted: Readonly<Counted>;
  add(number: number): void;
  /** Adds what another one counted. */
  absorb(other: NumberTally): void;
  summary(): NumberSummary;
}

interface Counted {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Welford's mean and squares: squares of the numbers would lose all digits of large ones that are close together. */
  mean: number;
  squares: number;
  /** How often each was there; undefined when there were too many different ones. */
  times: Map<number, number> | undefined;
}

export function createNumberTally(distinct: Distinct): NumberTally {
  const counted: Counted = {
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    mean: 0,
    squares: 0,
    times: new Map(),
  };

  function note(number: number, more: number): void {
    const known = counted.times?.get(number);
    if (known === undefined && distinct.left === 0) forget();
    if (known === undefined && counted.times !== undefined) distinct.left -= 1;
    counted.times?.set(number, (known ?? 0) + more);
  }

  function forget(): void {
    distinct.left += counted.times?.size ?? 0;
    counted.times = undefined;
  }

  return {
    counted,

    add(number) {
      // A text of the format number can be larger than any number that we can count with.
      if (!Number.isFinite(number)) return;
      counted.count += 1;
      counted.sum += number;
      counted.min = Math.min(counted.min, number);
      counted.max = Math.max(counted.max, number);
      const distance = number - counted.mean;
      counted.mean += distance / counted.count;
      counted.squares += distance * (number - counted.mean);
      note(number, 1);
    },

    absorb({ counted: other }) {
      if (other.count === 0) return;
      const before = counted.count;
      counted.count += other.count;
      counted.sum += other.sum;
      counted.min = Math.min(counted.min, other.min);
      counted.max = Math.max(counted.max, other.max);
      const distance = other.mean - counted.mean;
      counted.mean += (distance * other.count) / counted.count;
      counted.squares += other.squares + distance ** 2 * ((before * other.count) / counted.count);
      if (other.times === undefined) forget();
      else for (const [number, times] of other.times) note(number, times);
    },

    summary() {
      const { count, sum, squares, min, max, times } = counted;
      const median = times === undefined ? Number.NaN : medianOf(times, count);
      const numbers = { mean: sum / count, median, stddev: Math.sqrt(squares / count), min, max };
      return Object.fromEntries(Object.entries(numbers).filter(([, number]) => Number.isFinite(number)));
    },
  };
}

/** The number in the middle; of an even number of them the mean of the two. */
function medianOf(times: ReadonlyMap<number, number>, total: number): number {
  const numbers = Float64Array.from(times.keys()).sort();
  let seen = 0;
  let lower: number | undefined;
  for (const number of numbers) {
    seen += times.get(number) ?? 0;
    if (lower === undefined && seen * 2 >= total) lower = number;
    if (lower !== undefined && seen * 2 > total) return lower / 2 + number / 2;
  }
  return Number.NaN;
}
