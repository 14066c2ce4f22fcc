import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';

/** The survey that a response or file is for. */
interface SurveyRef {
  readonly tenantId: string;
  readonly surveyId: string;
}

interface Capacity {
  readonly items: number;
  readonly bytes: number;
}

/** The fractions of a capacity that one tenant and one survey can hold. */
interface Shares {
  readonly tenant: number;
  readonly survey: number;
}

const SHARES: Shares = { tenant: 1 / 2, survey: 1 / 4 };

/** Capacity of this process that all tenants share, such as the capacity of a queue. */
export function createSharedCapacity(total: Capacity, shares = SHARES) {
  const limits = (['items', 'bytes'] as const).flatMap((unit) => {
    const all = total[unit];
    return [
      { unit, level: 'survey', semaphore: createKeyedSemaphore({ perKey: all * shares.survey }) },
      { unit, level: 'tenant', semaphore: createKeyedSemaphore({ perKey: all * shares.tenant, total: all }) },
    ] as const;
  });

  return {
    /** Holds capacity for one item until the returned function is called. Throws `OVERLOADED` if none is left. */
    acquire({ tenantId, surveyId }: SurveyRef, bytes = 0): () => void {
      const held = { items: 1, bytes };
      // Another tenant can reuse the id of a deleted survey.
      const keys = { tenant: tenantId, survey: `${tenantId} ${surveyId}` };
      const releases: (() => void)[] = [];
      const releaseAll = () => {
        for (const release of releases.splice(0)) release();
      };
      for (const { unit, level, semaphore } of limits) {
        const reached = semaphore.acquireOrLimit(keys[level], held[unit]);
        if (reached !== undefined) {
          releaseAll();
          const detail = reached === 'total' ? undefined : `Too many requests to this ${level} are waiting, try again`;
          throw new AppError('OVERLOADED', { retryAfterSeconds: 1, ...(detail && { detail }) });
        }
        releases.push(() => semaphore.release(keys[level], held[unit]));
      }
      return releaseAll;
    },
  };
}
