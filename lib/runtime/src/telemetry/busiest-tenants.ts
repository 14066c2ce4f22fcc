/** Requests of a tenant at one process. */
export interface TenantLoad {
  readonly tenantId: string;
  /** Recent requests; older ones count less. */
  readonly requests: number;
  /** Time series that the tenant needs. */
  readonly series: number;
  /** Whether the process has time series of the tenant now. */
  readonly hasSeries: boolean;
}

/** A tenant must be this many times as busy to take the place of one with time series. Prevents endless changes. */
const HOLDER_WEIGHT = 2;

/**
 * Ranks tenants by their requests at all processes, and selects the busiest ones whose series fit into `maxSeries`.
 * Processes with the same reports select the same tenants. So all processes have series of these tenants, and the sum
 * of the series counts all requests of a tenant.
 *
 * @param reports the loads of each process
 *
 * @param maxSeries limit of time series in each process
 */
export function selectBusiest(
  reports: readonly (readonly TenantLoad[])[],
  maxSeries: number,
): { readonly tenantIds: readonly string[]; readonly isComplete: boolean } {
  const merged = new Map<string, { tenantId: string; weight: number; series: number; hasSeries: boolean }>();
  for (const { tenantId, requests, series, hasSeries } of reports.flat()) {
    const known = merged.get(tenantId) ?? { tenantId, weight: 0, series: 0, hasSeries: false };
    known.weight += requests;
    known.series = Math.max(known.series, series);
    known.hasSeries ||= hasSeries;
    merged.set(tenantId, known);
  }
  const ranked = [...merged.values()]
    .map(({ weight, hasSeries, ...tenant }) => ({ ...tenant, rank: hasSeries ? weight * HOLDER_WEIGHT : weight }))
    .sort((one, other) => other.rank - one.rank || (one.tenantId < other.tenantId ? -1 : 1));
  const tenantIds: string[] = [];
  let used = 0;
  for (const { tenantId, series } of ranked) {
    used += series;
    if (used > maxSeries) return { tenantIds, isComplete: false };
    tenantIds.push(tenantId);
  }
  return { tenantIds, isComplete: true };
}
