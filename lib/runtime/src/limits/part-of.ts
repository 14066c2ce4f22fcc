/** A percentage of a tenant's limit, rounded down, at least 1. Gateway and identity must round alike. */
export function percentOfLimit(all: number, percent: number): number {
  return Math.max(1, Math.floor((all * percent) / 100));
}
