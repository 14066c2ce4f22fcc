import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';

interface Options {
  /** Imports that run at a time in this process. */
  readonly atOnce: number;
  /** Of these, for one tenant. */
  readonly ofTenant: number;
}

/** Runs a task, or throws `TOO_MANY_REQUESTS` at the limit of the tenant and `OVERLOADED` at that of the process. */
export type InShare = <T>(tenantId: TenantId, task: () => Promise<T>) => Promise<T>;

export function createTenantShares({ atOnce, ofTenant }: Options): InShare {
  const running = createKeyedSemaphore<TenantId>({ perKey: ofTenant, total: atOnce });
  return async (tenantId, task) => {
    const reached = running.tryAcquire(tenantId);
    if (reached === 'key') {
      const detail = `This tenant already runs ${ofTenant} imports here, which is the limit`;
      throw new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1 });
    }
    if (reached === 'total') throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
    try {
      return await task();
    } finally {
      running.release(tenantId);
    }
  };
}
