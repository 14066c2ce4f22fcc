/** So many percent of what a tenant may do, at least one. Gateways and identity have to round alike. */
export function partOf(all: number, percent: number): number {
  return Math.max(1, Math.floor((all * percent) / 100));
}
