import { selectBusiest, type TenantLoad } from '@survey/runtime/telemetry/busiest-tenants';
import type { TenantLoadStore } from './tenant-load-store.ts';

interface Report {
  readonly reporter: string;
  readonly loads: readonly TenantLoad[];
  readonly maxSeries: number;
}

export type TenantLoadService = ReturnType<typeof createTenantLoadService>;

export function createTenantLoadService({
  store,
  clock,
}: {
  readonly store: TenantLoadStore;
  readonly clock: () => Date;
}) {
  return {
    /** Stores the report of a gateway, and selects the busiest tenants of all gateways. */
    async report({ reporter, loads, maxSeries }: Report) {
      const now = clock();
      await store.save(reporter, loads, now);
      return selectBusiest(await store.findReports(now), maxSeries);
    },
  };
}
