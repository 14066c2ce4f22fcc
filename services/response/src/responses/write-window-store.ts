import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';

/** Until when responses to a survey may be written, by the clock of the database. */
export interface WriteWindowDocument {
  /** Id of the survey. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly until: Date;
}

export const writeWindowIndexes: IndexSpecs[string] = [{ name: 'tenant', key: { tenant_id: 1 } }];

/** Whose responses are meant; a response itself says so too. */
export interface ResponsesOf {
  readonly tenantId: TenantId;
  readonly surveyId: string;
}

/**
 * Tells whether the responses to a survey can have changed. Whoever writes any opens a window for that first, and what
 * was read while none was open is true until the next one is. Not a window must ever be deleted whose survey is still
 * read.
 */
export interface WriteWindows {
  /** Does something that writes responses to these surveys, windows of which are open meanwhile. */
  announce<T>(surveys: readonly ResponsesOf[], write: () => Promise<T>): Promise<T>;
  /** Stands for the window that was opened last: another one once there is another one. */
  lastOf(survey: ResponsesOf): Promise<number>;
  /** The same when nobody writes, and what was written before can be read; else undefined. */
  restingOf(survey: ResponsesOf): Promise<number | undefined>;
}

interface Dependencies {
  readonly collection: Collection<WriteWindowDocument>;
  /** Milliseconds that only ever grow; they may stand still while the machine sleeps. */
  readonly now: () => number;
  readonly clock: () => Date;
}

const OPEN_MS = 60_000;
/** No write begins later than this before the end: so much time it has, and so much may clocks differ. */
const MARGIN_MS = 30_000;
const REMEMBERED = 10_000;
const NEVER = 0;

export function createWriteWindows({ collection, now, clock }: Dependencies): WriteWindows {
  const windowsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  /** When this process opened a window last, by both clocks. */
  const opened = new LRUCache<string, { readonly now: number; readonly clock: number }>({ max: REMEMBERED });

  function leftOf({ surveyId }: ResponsesOf): number {
    const at = opened.get(surveyId);
    // One of them may have stood still, the other may have been set back.
    return at === undefined ? 0 : OPEN_MS - Math.max(now() - at.now, clock().getTime() - at.clock);
  }

  const open = createSingleFlight(async (surveyId: string, tenantId: TenantId): Promise<void> => {
    const at = { now: now(), clock: clock().getTime() };
    try {
      await extend(tenantId, surveyId);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another process made it at the same time.
      await extend(tenantId, surveyId);
    }
    opened.set(surveyId, at);
  });

  async function extend(tenantId: TenantId, surveyId: string): Promise<void> {
    const until = { $max: ['$until', { $add: ['$$NOW', OPEN_MS] }] };
    await windowsOf(tenantId).updateOne({ _id: surveyId }, [{ $set: { until } }], { upsert: true });
  }

  async function openAll(surveys: readonly ResponsesOf[], marginMs: number): Promise<void> {
    for (const survey of surveys) if (leftOf(survey) <= marginMs) await open(survey.surveyId, survey.tenantId);
  }

  return {
    async announce(surveys, write) {
      await openAll(surveys, MARGIN_MS);
      try {
        return await write();
      } finally {
        // It took longer than the window was open: what was read since then may be without it.
        await openAll(surveys, 0);
      }
    },

    async lastOf({ tenantId, surveyId }) {
      return (await windowsOf(tenantId).findOne({ _id: surveyId }))?.until.getTime() ?? NEVER;
    },

    async restingOf({ tenantId, surveyId }) {
      // It changes nothing, but is done once a majority has all that was written before.
      await windowsOf(tenantId).updateOne({ _id: surveyId }, { $max: { until: new Date(NEVER) } });
      const projection = { until: 1, isOver: { $gt: ['$$NOW', '$until'] } };
      type Found = Pick<WriteWindowDocument, 'until'> & { readonly isOver: boolean };
      const found = await windowsOf(tenantId).findOne<Found>({ _id: surveyId }, { projection });
      if (found === null) return NEVER;
      return found.isOver ? found.until.getTime() : undefined;
    },
  };
}
