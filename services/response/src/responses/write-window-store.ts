import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createSingleFlight, maxEntries } from '@survey/runtime/flow/memoize';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import { type Clocks, createStopwatch } from '../stopwatch.ts';

/** The last write window of a survey. Its end, by the clock of the database, also identifies the window. */
export interface WriteWindowDocument {
  /** Id of the survey. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly until: Date;
}

export const writeWindowIndexes: IndexSpecs[string] = [{ name: 'tenant', key: { tenant_id: 1 } }];

export interface SurveyRef {
  readonly tenantId: TenantId;
  readonly surveyId: string;
}

interface Dependencies extends Clocks {
  readonly collection: Collection<WriteWindowDocument>;
}

const OPEN_MS = 60_000;
/** No write starts in this last part of a window. It covers the duration of a write and differences between clocks. */
const MARGIN_MS = 30_000;
const MAX_CACHED = 10_000;
const NEVER = 0;

export type WriteWindows = ReturnType<typeof createWriteWindows>;

/**
 * Detects whether the responses to a survey may have changed. A process writes responses only in a write window: a time
 * span of a minute. It stores the end of the window before its first write. So data that was read while no window was
 * open stays valid until another window opens. Do not delete the window of a survey that is still read: a survey
 * without a window seems to have no writes.
 */
export function createWriteWindows({ collection, now, clock }: Dependencies) {
  const windowsOf = (tenantId: TenantId) => tenantCollection(collection, tenantId);
  const startStopwatch = createStopwatch({ now, clock });
  /** The time since this process last opened a window, by survey id. */
  const opened = new LRUCache<string, () => number>(maxEntries(MAX_CACHED));

  function remainingMs({ surveyId }: SurveyRef): number {
    const elapsedMs = opened.get(surveyId)?.();
    return elapsedMs === undefined ? 0 : OPEN_MS - elapsedMs;
  }

  const open = createSingleFlight(async (surveyId: string, tenantId: TenantId): Promise<void> => {
    const stopwatch = startStopwatch();
    try {
      await extend(tenantId, surveyId);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another process created the document concurrently.
      await extend(tenantId, surveyId);
    }
    opened.set(surveyId, stopwatch);
  });

  async function extend(tenantId: TenantId, surveyId: string): Promise<void> {
    // Each window needs its own end, even if the clock of a new primary is behind.
    const until = { $max: [{ $add: ['$until', 1] }, { $add: ['$$NOW', OPEN_MS] }] };
    await windowsOf(tenantId).updateOne({ _id: surveyId }, [{ $set: { until } }], { upsert: true });
  }

  async function ensureOpen(surveys: readonly SurveyRef[], marginMs: number): Promise<void> {
    for (const survey of surveys) if (remainingMs(survey) <= marginMs) await open(survey.surveyId, survey.tenantId);
  }

  async function lastWindowIfEnded({ tenantId, surveyId }: SurveyRef): Promise<number | undefined> {
    const projection = { until: 1, hasEnded: { $gt: ['$$NOW', '$until'] } };
    type Found = Pick<WriteWindowDocument, 'until'> & { readonly hasEnded: boolean };
    const found = await windowsOf(tenantId).findOne<Found>({ _id: surveyId }, { projection });
    if (found === null) return NEVER;
    return found.hasEnded ? found.until.getTime() : undefined;
  }

  return {
    /** Opens write windows of the surveys if necessary, then runs a write of responses to these surveys. */
    async runInWindow<T>(surveys: readonly SurveyRef[], write: () => Promise<T>): Promise<T> {
      await ensureOpen(surveys, MARGIN_MS);
      try {
        return await write();
      } finally {
        // If the write ended after its window, caches may lack the write. A new window makes them invalid.
        await ensureOpen(surveys, 0);
      }
    },

    /** Returns the number of the last window: its end in milliseconds since 1970, or 0 if there was none. */
    async lastWindowOf({ tenantId, surveyId }: SurveyRef): Promise<number> {
      return (await windowsOf(tenantId).findOne({ _id: surveyId }))?.until.getTime() ?? NEVER;
    },

    /** Returns the number of the last window if it has ended, else undefined. */
    lastWindowIfEnded,

    /** Like `lastWindowIfEnded`, but later reads see all writes of the returned window. */
    async lastReadableWindow(survey: SurveyRef): Promise<number | undefined> {
      const { tenantId, surveyId } = survey;
      // This update changes nothing. Its majority acknowledgement makes sure that all earlier writes are readable.
      await windowsOf(tenantId).updateOne({ _id: surveyId }, { $max: { until: new Date(NEVER) } });
      return lastWindowIfEnded(survey);
    },
  };
}

/**
 * Maximum time for which an ended window proves that the responses have not changed. It limits the effect of a write
 * that reaches the database after its window. Milliseconds.
 */
export const TRUSTED_MS = 24 * 60 * 60_000;

interface Computed<V> {
  readonly value: V;
  /** Time for which an expensive value is used although responses may have changed. Milliseconds. */
  readonly freshMs?: number;
}

/**
 * @param window the last write window if it has ended, else undefined
 * @param onRead reports the number of further responses that the computation has read
 */
type Compute<V> = (window: number | undefined, onRead: (count: number) => void) => Promise<Computed<V>>;

interface Cached<V> {
  readonly value: V;
  /** The last write window before the computation. Undefined if it was open. */
  readonly window: number | undefined;
  readonly computedAt: number;
  readonly freshUntil: number;
}

interface Options<V> {
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
  /** Maximum size of the cache, in the unit of `sizeOf`. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

export type AggregateCache<V> = ReturnType<typeof createAggregateCache<V>>;

/** Caches aggregates of responses, such as counts. An aggregate is valid until another write window opens. */
export function createAggregateCache<V>({ windows, maxSize, sizeOf, now }: Options<V>) {
  const cache = new LRUCache<string, Cached<V>>({ maxSize, sizeCalculation: ({ value }) => sizeOf(value) });
  const keyOf = ({ tenantId, surveyId }: SurveyRef, name: string) => JSON.stringify([tenantId, surveyId, name]);
  /** Number of responses that running computations have read, by key. */
  const progress = new Map<string, number>();

  const refresh = createSingleFlight(async (key: string, survey: SurveyRef, compute: Compute<V>): Promise<V> => {
    const known = cache.get(key);
    const isTrusted = known?.window !== undefined && now() - known.computedAt < TRUSTED_MS;
    if (isTrusted && known.window === (await windows.lastWindowOf(survey))) return known.value;
    const window = await windows.lastReadableWindow(survey);
    const onRead = (count: number) => void progress.set(key, (progress.get(key) ?? 0) + count);
    const { value, freshMs = 0 } = await compute(window, onRead).finally(() => progress.delete(key));
    // If another window opened during the computation, the next call computes again.
    cache.set(key, { value, window, computedAt: now(), freshUntil: now() + freshMs });
    return value;
  });

  return {
    /** Uses the cached aggregate if it is valid or younger than `freshMs`. Concurrent calls share a computation. */
    async find(survey: SurveyRef, name: string, compute: Compute<V>): Promise<V> {
      const key = keyOf(survey, name);
      const known = cache.get(key);
      return known !== undefined && now() < known.freshUntil ? known.value : refresh(key, survey, compute);
    },

    /** Returns the number of responses that a running computation of the aggregate has read. */
    findProgress: (survey: SurveyRef, name: string): number => progress.get(keyOf(survey, name)) ?? 0,

    /** Returns the last aggregate, even if it is outdated. */
    findLast: (survey: SurveyRef, name: string): V | undefined => cache.peek(keyOf(survey, name))?.value,
  };
}
