import type { Counter } from 'prom-client';

/**
 * Starts the series of a counter at 0, for all combinations of these values. Prometheus misses the first increase of a
 * series that did not exist.
 *
 * @param labels a value or a list of values for each label
 */
export function startAtZero<L extends string>(
  counter: Counter<L>,
  labels: Readonly<Record<L, string | readonly string[]>>,
): void {
  let series: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [name, values] of Object.entries<string | readonly string[]>(labels))
    series = series.flatMap((one) => [values].flat().map((value) => ({ ...one, [name]: value })));
  for (const one of series) counter.inc(one as Record<L, string>, 0);
}
