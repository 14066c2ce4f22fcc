/** Matchers of recorded metrics of the installation that is selected in Grafana. */
export const INSTALLATION = 'namespace="$namespace", release="$release"';

/** Matchers of the metrics of its processes. */
export const PROCESSES = `${INSTALLATION}, job=~".*(gateway|identity|survey|response|webhook|import)"`;

/** Matchers of metrics with the label `tenant_id`, for the selected tenants. */
export const TENANTS = `${PROCESSES}, tenant_id=~"$tenant"`;

/** Grafana's variable for the range of a rate, which depends on the zoom level. */
export const RATE = '[$__rate_interval]';

/** A quantile of a histogram, over all processes, or for each value of the labels `by`. */
export function quantile(share: number, buckets: string, ...by: readonly string[]): string {
  return `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${buckets}${RATE})))`;
}

/** Quantiles of the same histogram. 0.5 has the legend p50. */
export function quantiles(buckets: string, ...shares: readonly number[]): readonly [expr: string, legend: string][] {
  return shares.map((share) => [quantile(share, buckets), `p${share * 100}`]);
}
