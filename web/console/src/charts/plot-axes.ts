import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';

interface Counted {
  readonly count: number;
}

/** A vertical axis for counts from 0. */
export function countScale(items: readonly Counted[]): Plot.ScaleOptions {
  const most = maxCountOf(items);
  return {
    // Leave space above the highest point for its dot.
    domain: [0, most * 1.04],
    label: null,
    ticks: countTicks(most),
    tickFormat: formatNumber,
    tickSize: 0,
  };
}

/** Horizontal lines at the ticks of `countScale`. */
export function drawGrid(items: readonly Counted[]): Plot.Markish {
  return Plot.gridY(countTicks(maxCountOf(items)), { stroke: 'var(--line)', strokeOpacity: 1 });
}

/** Space for the numbers of a vertical axis. */
export function axisMargin(items: readonly Counted[]): number {
  return 12 + formatNumber(maxCountOf(items)).length * 8;
}

/** The largest count; 1 if there is none. */
function maxCountOf(items: readonly Counted[]): number {
  return items.reduce((most, { count }) => Math.max(most, count), 1);
}

const MAX_TICKS = 6;

/** Returns round whole numbers from 0 for the axis of counts. */
export function countTicks(maxCount: number): readonly number[] {
  let step = 1;
  // Steps are 1, 2, 5, 10, 20, 50, …
  for (let factor = 0; maxCount / step > MAX_TICKS - 1; factor += 1) step *= factor % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.floor(maxCount / step) + 1 }, (_, index) => index * step);
}
