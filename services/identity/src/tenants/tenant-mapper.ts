import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  TenantLimits as TenantLimitsMessage,
  TenantSchema,
} from '@survey/proto/survey/identity/v1/identity_service_pb';
import type { TenantStateSchema } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import type { Tenant, TenantLimits } from './tenant.ts';

/** A tenant for its own users. */
export function toTenantMessage({ id, name, status, limits, createdAt }: Tenant) {
  const { requestsPerMinute, concurrentRequests } = limits;
  return {
    id,
    name,
    status,
    createdAt: timestampFromDate(createdAt),
    limits: {
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(concurrentRequests === undefined ? {} : { concurrentRequests }),
    },
  } satisfies CompleteFields<typeof TenantSchema>;
}

/** A tenant for operators. */
export function toTenantStateMessage(tenant: Tenant) {
  const { deletedAt, deletedBy } = tenant;
  return {
    tenant: toTenantMessage(tenant),
    deletedAt: deletedAt && timestampFromDate(deletedAt),
    deletedBy,
    erasedBy: [...tenant.erasedBy],
  } satisfies CompleteFields<typeof TenantStateSchema>;
}

export function fromLimitsMessage(limits: TenantLimitsMessage | undefined): TenantLimits {
  return { requestsPerMinute: limits?.requestsPerMinute, concurrentRequests: limits?.concurrentRequests };
}
