/** Label matchers for the metrics of recording rules, in the installation that is selected in Grafana. */
export const INSTALLATION = 'namespace="$namespace", release="$release"';

/** Label matchers for the metrics of the processes of the selected installation. */
export const PROCESSES = `${INSTALLATION}, job=~".*(gateway|identity|survey|response|webhook|import)"`;

/** Label matchers for metrics with the label `tenant_id`, for the selected tenants. */
export const TENANTS = `${PROCESSES}, tenant_id=~"$tenant"`;

/** Grafana's variable for the range of a rate, which depends on the zoom level. */
export const RATE = '[$__rate_interval]';

/** A quantile of a histogram, over all processes, or for each value of `labels`. */
export function quantile(share: number, buckets: string, ...labels: readonly string[]): string {
  return `histogram_quantile(${share}, sum by (${[...labels, 'le'].join(', ')}) (rate(${buckets}${RATE})))`;
}

/** Several quantiles of a histogram, each with its legend: p50 for 0.5. */
export function quantiles(buckets: string, ...shares: readonly number[]): readonly [expr: string, legend: string][] {
  return shares.map((share) => [quantile(share, buckets), `p${share * 100}`]);
}
