import { TenantLoadService as Contract } from '@survey/proto/survey/identity/v1/tenant_load_service_pb';
import { implement } from '@survey/runtime/rpc/implementation';
import type { TenantLoadService } from './tenant-load-service.ts';

/** For gateways, which measure the busiest tenants separately. */
export function createTenantLoadHandler(tenantLoads: TenantLoadService) {
  return implement(Contract, {
    async reportTenantLoads({ reporter, loads, maxSeries }) {
      const plain = loads.map(({ tenantId, requests, series, hasSeries }) => ({
        tenantId,
        requests,
        series,
        hasSeries,
      }));
      const { tenantIds, isComplete } = await tenantLoads.report({ reporter, loads: plain, maxSeries });
      return { tenantIds: [...tenantIds], isComplete };
    },
  });
}
