import { toServiceContext } from '@survey/runtime/auth/caller';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { TenantService } from './tenant-service.ts';
import type { TenantStore } from './tenant-store.ts';

interface Dependencies {
  readonly store: Pick<TenantStore, 'findUnfinished'>;
  readonly tenants: Pick<TenantService, 'removeUnfinished'>;
  readonly clock: () => Date;
  readonly lease: Lease;
  readonly log: Logger;
}

/** Much longer than the creation of a tenant takes. */
const MAX_CREATION_MS = 60 * 60_000;
const MAX_PER_RUN = 100;
const PAUSE_MS = 60_000;

/**
 * Removes tenants whose creation was interrupted, because they keep personal data: the owner's e-mail address. Only the
 * replica with the lease does this, to save work. Two replicas at the same time do no harm, because `removeUnfinished`
 * keeps a tenant that has become active.
 */
export function createTenantSweeper({ store, tenants, clock, lease, log }: Dependencies): Worker {
  return createPeriodicWorker({
    everyMs: PAUSE_MS,
    failure: 'cannot remove tenants whose creation was interrupted',
    log,
    lease,
    async work() {
      const createdBefore = new Date(clock().getTime() - MAX_CREATION_MS);
      for (const { id: tenantId } of await store.findUnfinished(createdBefore, MAX_PER_RUN)) {
        const { status } = await tenants.removeUnfinished(toServiceContext('identity', tenantId));
        // With another status, the tenant has become active.
        if (status === 'deleting') log.warn({ tenant_id: tenantId }, 'removed a tenant whose creation was interrupted');
      }
    },
  });
}
