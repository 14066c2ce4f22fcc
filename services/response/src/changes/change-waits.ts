import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota, quotaExceeded } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';

/** Waiting requests of this process. */
export interface ChangeWaits {
  /**
   * Runs a task that waits. Throws `TOO_MANY_REQUESTS` if the tenant has too many waiting requests, `OVERLOADED` if the
   * process has too many.
   *
   * @param clientSignal aborts when the client disconnects
   */
  run<T>(tenantId: TenantId, clientSignal: AbortSignal, task: (wait: Wait) => Promise<T>): Promise<T>;
  /** Ends all waits. */
  stop(): Promise<void>;
}

/** Pauses. Returns false immediately if the request must end: the client disconnected, or the process stops. */
type Wait = (ms: number) => Promise<boolean>;

interface Limits {
  readonly perTenant: number;
  readonly total: number;
}

const LIMITS: Limits = { perTenant: 20, total: 200 };

export function createChangeWaits(limits = LIMITS): ChangeWaits {
  const stopping = new AbortController();
  const waiting = createKeyedSemaphore<TenantId>({ perKey: limits.perTenant, total: limits.total });
  const toError = (reached: 'key' | 'total') =>
    reached === 'key'
      ? quotaExceeded(concurrencyQuota('waits', limits.perTenant))
      : new AppError('OVERLOADED', { retryAfterSeconds: 1 });

  return {
    run(tenantId, clientSignal, task) {
      const signal = AbortSignal.any([clientSignal, stopping.signal]);
      const wait = (ms: number) =>
        sleep(ms, true, { signal }).catch((error: unknown) => {
          if (signal.aborted) return false;
          throw error;
        });
      return waiting.run(tenantId, () => task(wait), toError);
    },

    async stop() {
      stopping.abort();
    },
  };
}
