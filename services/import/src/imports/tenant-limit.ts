import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';

interface Options {
  /** Tasks that run at a time in this process. */
  readonly total: number;
  /** Tasks of one tenant that run at a time in this process. */
  readonly perTenant: number;
}

/** Runs a task, or throws `TOO_MANY_REQUESTS` at the limit of the tenant and `OVERLOADED` at that of the process. */
export type RunWithSlot = <T>(tenantId: TenantId, task: () => Promise<T>) => Promise<T>;

export function createTenantLimit({ total, perTenant }: Options): RunWithSlot {
  const running = createKeyedSemaphore<TenantId>({ perKey: perTenant, total });
  return (tenantId, task) =>
    running.run(tenantId, task, (reached) => {
      if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      const detail = `This tenant already has ${perTenant} requests of this kind running, which is the limit`;
      const quota = concurrencyQuota('concurrent-imports', perTenant);
      return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1, quota });
    });
}
