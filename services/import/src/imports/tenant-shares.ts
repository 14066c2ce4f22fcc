import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

interface Options {
  /** In one process. */
  readonly atOnce: number;
  /** Of one tenant: the others have a share too. */
  readonly ofTenant: number;
}

/** Does what is asked of it at once; throws `OVERLOADED` where too much is going on, and `TOO_MANY_REQUESTS` of a tenant. */
export type InShare = <T>(tenantId: TenantId, work: () => Promise<T>) => Promise<T>;

export function createTenantShares({ atOnce, ofTenant }: Options): InShare {
  let running = 0;
  const runningOf = new Map<TenantId, number>();
  return async (tenantId, work) => {
    const own = runningOf.get(tenantId) ?? 0;
    if (own >= ofTenant) {
      const detail = `There are ${ofTenant} of this tenant under way here, which is the most`;
      throw new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1 });
    }
    if (running >= atOnce) throw new AppError('OVERLOADED', { retryAfterSeconds: 1 });
    running += 1;
    runningOf.set(tenantId, own + 1);
    try {
      return await work();
    } finally {
      running -= 1;
      const left = (runningOf.get(tenantId) ?? 1) - 1;
      if (left > 0) runningOf.set(tenantId, left);
      else runningOf.delete(tenantId);
    }
  };
}
