import { type JsonObject, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  TenantAdminService,
  type TenantState,
  TenantStateSchema,
} from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { createOperatorConnector } from './operator-connector.ts';
import type { TokenToRevoke } from './token-to-revoke.ts';

export interface OperatorClient {
  readonly createTenant: (tenant: {
    name: string;
    ownerEmail: string;
  }) => Promise<{ tenantId: string; userId: string }>;
  readonly addUser: (user: NewUser) => Promise<{ userId: string }>;
  /** Lists tenants in the API's format, oldest first. Returns one page, and whether more tenants follow. */
  readonly listTenants: (page: TenantPage) => Promise<{ tenants: JsonObject[]; hasMore: boolean }>;
  /** The following operations return the new state of the tenant, in the API's format. */
  readonly showTenant: (tenantId: string) => Promise<JsonObject>;
  readonly suspendTenant: (tenantId: string) => Promise<JsonObject>;
  readonly resumeTenant: (tenantId: string) => Promise<JsonObject>;
  readonly setTenantLimits: (tenantId: string, limits: Limits) => Promise<JsonObject>;
  readonly deleteTenant: (tenantId: string) => Promise<JsonObject>;
  readonly revokeToken: (tenantId: string, token: TokenToRevoke) => Promise<void>;
  readonly close: () => void;
}

export interface TenantPage {
  readonly limit?: number;
  /** Id of the last tenant of the previous page. */
  readonly after?: string;
}

interface NewUser {
  readonly tenantId: string;
  readonly email: string;
  readonly role: string;
  readonly permissions: string[];
}

/** A tenant's own limits. For missing ones, the platform's defaults apply. */
export interface Limits {
  readonly requestsPerMinute?: number;
  readonly concurrentRequests?: number;
}

/** Calls identity as a platform operator: see `createOperatorConnector`. */
export async function connectOperator(
  keysFolder: string,
  identityAddress: string,
  serverName?: string,
): Promise<OperatorClient> {
  const connector = await createOperatorConnector(keysFolder);
  const connection = connector.connect('identity', identityAddress, serverName);
  const tenants = connection.client(TenantAdminService);
  return {
    createTenant: async (tenant) => {
      const { tenantId, userId } = await tenants.createTenant(tenant);
      return { tenantId, userId };
    },
    addUser: async (user) => {
      const { userId } = await tenants.addUser(user);
      return { userId };
    },
    async listTenants(page) {
      const { states, hasMore } = await tenants.listTenants(page);
      return { tenants: states.map((state) => toState({ state })), hasMore };
    },
    showTenant: async (tenantId) => toState(await tenants.showTenant({ tenantId })),
    suspendTenant: async (tenantId) => toState(await tenants.suspendTenant({ tenantId })),
    resumeTenant: async (tenantId) => toState(await tenants.resumeTenant({ tenantId })),
    setTenantLimits: async (tenantId, limits) => toState(await tenants.setTenantLimits({ tenantId, limits })),
    deleteTenant: async (tenantId) => toState(await tenants.deleteTenant({ tenantId })),
    revokeToken: async (tenantId, { userId, tokenId, expiresAt }) => {
      await tenants.revokeToken({ tenantId, userId, tokenId, expiresAt: timestampFromDate(expiresAt) });
    },
    close() {
      connection.close();
      connector.close();
    },
  };
}

function toState({ state }: { readonly state?: TenantState | undefined }): JsonObject {
  if (state === undefined) throw new Error('identity returned no state of the tenant');
  // A message of the contract is an object in JSON.
  return toJson(TenantStateSchema, state, { useProtoFieldName: true, alwaysEmitImplicit: true }) as JsonObject;
}
