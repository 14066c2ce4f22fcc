import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import type { CompiledSurvey } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { createCachedAggregates } from '../responses/cached-aggregates.ts';
import type { ResponseAnswers } from '../responses/response.ts';
import { type ResponseFilter, withNearestLanguage } from '../responses/response-filter.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { createCountSurvey, isFiltered } from './count-survey.ts';
import { createSliceCache } from './slice-cache.ts';
import type { StoredCounts } from './stored-counts.ts';
import type { Summary } from './summary.ts';
import { type SummaryStyle, type SurveyStatistics, toSummary } from './summary-view.ts';
import { type Interval, offsetsOf } from './survey-times.ts';
import { createSliceCounter } from './time-slices.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered' | 'findVersion'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions' | 'findState'>;
  readonly stored: StoredCounts;
  readonly read: ReadResponses<ResponseAnswers>;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Options {
  readonly maxCachedEntries?: number | undefined;
  /** Number of responses above which a slice is split. */
  readonly splitAbove?: number | undefined;
}

export interface SummaryQuery {
  /** Answers are counted for responses with the status of the filter; without a status, for completed ones. */
  readonly filter: ResponseFilter;
  readonly timeZone: string;
  readonly interval?: Interval | undefined;
  readonly displayLanguage?: string | undefined;
  /** Lowest version of the survey that the summary must know. */
  readonly atLeastVersion?: number | undefined;
}

/** Size of each of the two caches of statistics, in characters of JSON. */
const STATISTICS_CACHE = { maxSize: 16 * 1024 * 1024, sizeOf };
const CHARACTERS_PER_ENTRY = 80;
/** Sizes of the caches of slices, in map entries: about 60 MB. One survey or filter may use half of a cache. */
const MAX_CACHED_ENTRIES = 500_000;
const MAX_FILTERED_ENTRIES = 250_000;
/** Above this number of responses, computing a summary takes more than about a tenth of a second. */
const LARGE_SURVEY = 5_000;
/** Maximum number of filtered summaries that are computed at the same time, by tenant and in all. */
const FILTERED_CONCURRENCY = { perKey: 4, total: 16 };
/** Maximum number of surveys whose stored counts are read at the same time, by tenant and in all. */
const READ_CONCURRENCY = { perKey: 4, total: 8 };

export type SummaryService = ReturnType<typeof createSummaryService>;

/**
 * Summarizes the responses to surveys. Counts are cached by time slice, so a new summary reads only slices that
 * changed. The slices of whole surveys are also stored: a restarted process continues with them. Slices with a filter
 * have their own cache, so that they cannot displace the counts of whole surveys.
 */
export function createSummaryService(
  { definitions, store, stored, read, windows, clock, now }: Dependencies,
  { maxCachedEntries = MAX_CACHED_ENTRIES, splitAbove }: Options = {},
) {
  const sliceCounter = createSliceCounter({ store, read, clock }, splitAbove);
  const whole = createSliceCache(maxCachedEntries);
  const filtered = createSliceCache(Math.min(maxCachedEntries, MAX_FILTERED_ENTRIES));
  const running = createKeyedSemaphore(FILTERED_CONCURRENCY);
  const reading = createKeyedSemaphore(READ_CONCURRENCY);
  /** Statistics that are valid until a response is written. */
  const computeOrReuse = createCachedAggregates<SurveyStatistics>({ windows, ...STATISTICS_CACHE });
  /**
   * Statistics of large surveys. Each is cached for as long as it took to compute, so that at most half of the time is
   * spent on computing.
   */
  const recent = new LRUCache<string, SurveyStatistics>({
    maxSize: STATISTICS_CACHE.maxSize,
    sizeCalculation: STATISTICS_CACHE.sizeOf,
    perf: { now },
  });

  const refresh = createSingleFlight((key: string, survey: CompiledSurvey, filter: ResponseFilter) =>
    computeOrReuse(survey, key, async (window) => {
      const startedAt = now();
      const { statistics, count } = await compute(survey, filter, window);
      if (count > LARGE_SURVEY) recent.set(key, statistics, { ttl: Math.ceil(now() - startedAt) });
      return statistics;
    }),
  );

  /** @param window the last write window if it has ended; undefined while one is open */
  function compute(survey: CompiledSurvey, filter: ResponseFilter, window: number | undefined) {
    const count = () => countSurvey(survey, filter, window);
    return isFiltered(filter) ? running.run(survey.tenantId, count, toFilteredError) : count();
  }

  const readStored = createSingleFlight((_: string, survey: CompiledSurvey) =>
    reading.run(survey.tenantId, () => stored.find(survey, maxCachedEntries / 2), toReadingError),
  );

  const countSurvey = createCountSurvey({ definitions, store, stored, sliceCounter, whole, filtered, readStored });

  return {
    /**
     * Throws `SURVEY_NOT_FOUND`, `INVALID_REQUEST` for an unknown time zone or too many intervals, and
     * `TOO_MANY_REQUESTS` or `OVERLOADED` if too many summaries are being computed.
     */
    async get(tenantId: TenantId, query: SummaryQuery): Promise<Summary> {
      const { timeZone, interval, displayLanguage, atLeastVersion } = query;
      const style: SummaryStyle = { offsetAt: offsetsOf(timeZone), interval, displayLanguage };
      const survey = await definitions.findOwned(tenantId, query.filter.surveyId, atLeastVersion);
      const filter = withNearestLanguage(query.filter, survey);
      // With the tenant: the id of a deleted survey can be used by another tenant.
      const key = JSON.stringify([tenantId, survey.version, filter]);
      const statistics = recent.get(key) ?? (await refresh(key, survey, filter));
      const findVersion = (version: number) => definitions.findAnswered(survey, version);
      return { surveyVersion: survey.version, ...(await toSummary(statistics, style, findVersion)) };
    },
  };
}

/** @param detail the reason if the limit of a tenant is reached */
function toLimitError(reached: 'key' | 'total', detail: string): AppError {
  if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  const quota = concurrencyQuota('concurrent-summaries', FILTERED_CONCURRENCY.perKey);
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1, quota });
}

function toFilteredError(reached: 'key' | 'total'): AppError {
  const detail = `${FILTERED_CONCURRENCY.perKey} filtered summaries of your tenant are being computed; wait for one of them`;
  return toLimitError(reached, detail);
}

function toReadingError(reached: 'key' | 'total'): AppError {
  const detail = `summaries of ${READ_CONCURRENCY.perKey} surveys of your tenant are being loaded; wait for one of them`;
  return toLimitError(reached, detail);
}

function sizeOf({ counts, times }: SurveyStatistics): number {
  return JSON.stringify(counts).length + times.size * CHARACTERS_PER_ENTRY;
}
