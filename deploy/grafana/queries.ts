/** The time that a rate is taken over, as it fits the page. */
export const RATE = '[$__rate_interval]';

/** A quantile of the buckets of a histogram, of all processes, or for each value of the labels `by`. */
export function quantile(share: number, buckets: string, ...by: readonly string[]): string {
  return `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${buckets}${RATE})))`;
}

/** Lines of several quantiles of the same buckets: that of 0.5 is called p50. */
export function quantiles(buckets: string, ...shares: readonly number[]): readonly [expr: string, legend: string][] {
  return shares.map((share) => [quantile(share, buckets), `p${share * 100}`]);
}
