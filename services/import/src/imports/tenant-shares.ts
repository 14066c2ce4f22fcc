import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';

interface Options {
  /** Tasks that run at a time in this process. */
  readonly atOnce: number;
  /** Tasks of one tenant that run at a time in this process. */
  readonly ofTenant: number;
}

/** Runs a task, or throws `TOO_MANY_REQUESTS` at the limit of the tenant and `OVERLOADED` at that of the process. */
export type RunInShare = <T>(tenantId: TenantId, task: () => Promise<T>) => Promise<T>;

export function createTenantShares({ atOnce, ofTenant }: Options): RunInShare {
  const running = createKeyedSemaphore<TenantId>({ perKey: ofTenant, total: atOnce });
  return (tenantId, task) =>
    running.run(tenantId, task, (reached) => {
      if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 1 });
      const detail = `This tenant has ${ofTenant} such requests running in this process, which is the limit`;
      return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1 });
    });
}
