import type { Figure } from './bench-report.ts';

/** Measures repeated sequential runs, in milliseconds each. */
export async function repeat(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const start = performance.now();
    await run();
    taken.push(performance.now() - start);
  }
  return taken;
}

/** The quantile of times. The share is from 0 to 1. */
export function quantile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN;
}

/** Median and 95th percentile, with a limit in milliseconds. */
export function latencyFigures(name: string, times: readonly number[], atMost: number): readonly Figure[] {
  const figure = (statistic: string, value: number) => ({
    name: `${name}: ${statistic}`,
    value,
    unit: 'ms',
    atMost,
  });
  return [figure('p50', quantile(times, 0.5)), figure('p95', quantile(times, 0.95))];
}
