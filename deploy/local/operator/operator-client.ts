import { TenantAdminService } from '@survey/proto/survey/identity/v1/tenant_admin_service_pb';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { connectService } from '@survey/runtime/rpc/service-client';
import { loadKey, toKeyFiles } from '../stack/keys.ts';

export interface OperatorClient {
  readonly createTenant: (tenant: {
    name: string;
    ownerEmail: string;
  }) => Promise<{ tenantId: string; userId: string }>;
  readonly addUser: (user: NewUser) => Promise<{ userId: string }>;
  readonly close: () => void;
}

export interface NewUser {
  readonly tenantId: string;
  readonly email: string;
  readonly role: string;
  readonly permissions: string[];
}

/** Calls identity as a platform operator, with the operator's key of this stack. */
export async function connectOperator(keysFolder: string, identityAddress: string): Promise<OperatorClient> {
  const privateKey = await loadKey(toKeyFiles(keysFolder).internalKeyOf('operator'));
  const minter = await createTokenMinter({ service: 'operator', privateKey });
  const connection = connectService({ name: 'identity', address: identityAddress, minter });
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
    close: connection.close,
  };
}
