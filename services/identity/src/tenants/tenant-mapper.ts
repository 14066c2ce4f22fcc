import {
  type TenantLimits as TenantLimitsMessage,
  TenantSchema,
} from '@survey/proto/survey/identity/v1/identity_service_pb';
import { TenantStateSchema } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Tenant, TenantLimits } from './tenant.ts';

/** A tenant for its own users. */
export function toTenantMessage(tenant: Tenant) {
  const { requestsPerMinute, concurrentRequests } = tenant.limits;
  return toMessageFields(TenantSchema, {
    ...tenant,
    limits: {
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(concurrentRequests === undefined ? {} : { concurrentRequests }),
    },
  });
}

/** A tenant for operators. */
export function toOperatorTenantMessage(tenant: Tenant) {
  return toMessageFields(TenantStateSchema, { ...tenant, tenant: toTenantMessage(tenant) });
}

export function fromLimitsMessage(limits: TenantLimitsMessage | undefined): TenantLimits {
  return { requestsPerMinute: limits?.requestsPerMinute, concurrentRequests: limits?.concurrentRequests };
}
