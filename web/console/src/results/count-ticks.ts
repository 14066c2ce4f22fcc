const MAX_TICKS = 6;

/** Returns round whole numbers from 0 for the axis of counts. */
export function countTicks(maxCount: number): readonly number[] {
  let step = 1;
  // Steps are 1, 2, 5, 10, 20, 50, …
  for (let factor = 0; maxCount / step > MAX_TICKS - 1; factor += 1) step *= factor % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.floor(maxCount / step) + 1 }, (_, index) => index * step);
}
