import type { NumberSummary } from './summary.ts';

/** How many more different numbers may be told apart. */
export interface Distinct {
  left: number;
}

/** Counts numbers, in as much memory as there are different ones. */
export function createNumberTally(distinct: Distinct) {
  let [count, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // Welford's: the squares alone would lose all digits of large numbers that are close together.
  let [running, squares] = [0, 0];
  /** Undefined when there were too many different ones. */
  let counts: Map<number, number> | undefined = new Map();

  function note(number: number): void {
    const known = counts?.get(number);
    if (known === undefined && distinct.left === 0) {
      distinct.left += counts?.size ?? 0;
      counts = undefined;
    }
    if (known === undefined && counts !== undefined) distinct.left -= 1;
    counts?.set(number, (known ?? 0) + 1);
  }

  return {
    add(number: number): void {
      // A text of the format number can be larger than any number that we can count with.
      if (!Number.isFinite(number)) return;
      count += 1;
      sum += number;
      min = Math.min(min, number);
      max = Math.max(max, number);
      const distance = number - running;
      running += distance / count;
      squares += distance * (number - running);
      note(number);
    },

    summary(): NumberSummary {
      const median = counts === undefined ? Number.NaN : medianOf(counts, count);
      const numbers = { mean: sum / count, median, stddev: Math.sqrt(squares / count), min, max };
      return Object.fromEntries(Object.entries(numbers).filter(([, number]) => Number.isFinite(number)));
    },
  };
}

/** The number in the middle; of an even number of them the mean of the two. */
function medianOf(counts: ReadonlyMap<number, number>, total: number): number {
  const numbers = Float64Array.from(counts.keys()).sort();
  let seen = 0;
  let lower: number | undefined;
  for (const number of numbers) {
    seen += counts.get(number) ?? 0;
    if (lower === undefined && seen * 2 >= total) lower = number;
    if (lower !== undefined && seen * 2 > total) return lower / 2 + number / 2;
  }
  return Number.NaN;
}
