import { KeyService } from '@survey/proto/survey/keys/v1/key_service_pb';
import { type TenantId, toTenantId } from '../auth/tenant-id.ts';
import { dataKeyIndexes } from '../crypto/data-key.ts';
import type { Envelope } from '../crypto/envelope.ts';
import { AppError } from '../errors/app-error.ts';
import { type Implementation, implement } from '../rpc/implementation.ts';
import type { TenantStatus } from '../tenants/tenant-state.ts';
import type { ServiceModule } from './service-module.ts';

export function createKeyModule(dependencies: Parameters<typeof createKeyHandler>[0]): ServiceModule {
  return { handlers: [createKeyHandler(dependencies)], indexes: { data_keys: dataKeyIndexes } };
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'rotate' | 'rewrap'>;
  readonly tenants: { statusOf(tenantId: TenantId): Promise<TenantStatus> };
}

/**
 * Operations on data keys for operators; see `Envelope`. The token of an operator names no tenant, so the request does.
 */
export function createKeyHandler({ envelope, tenants }: Dependencies): Implementation {
  return implement(KeyService, {
    async rotateDataKey({ tenantId }) {
      const tenant = toTenantId(tenantId);
      // The keys of a deleted tenant are destroyed. A new key would never be removed.
      if ((await tenants.statusOf(tenant)) === 'deleted') throw new AppError('TENANT_NOT_FOUND');
      return { version: await envelope.rotate(tenant) };
    },

    rewrapDataKeys: () => envelope.rewrap(),
  });
}
