import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import type { CompiledSurvey } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { createCachedAggregates } from '../responses/cached-aggregates.ts';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type Slices, type StoredCounts, toBasis } from './stored-counts.ts';
import type { Summary } from './summary.ts';
import { type SummaryStyle, type SurveyStatistics, toSummary } from './summary-view.ts';
import { type CountedVersion, createSurveyTally, type Versions } from './survey-tally.ts';
import type { Interval } from './survey-times.ts';
import { type CheckedSlice, createSliceCounter, type TimeSlice, unconfirmedRanges } from './time-slices.ts';
import { offsetsOf } from './time-zone.ts';

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
  /** Number of responses after which a slice is split. */
  readonly minResponses?: number | undefined;
}

export interface SummaryQuery {
  /** The status also selects the responses whose answers are counted; without it, these are the completed ones. */
  readonly filter: ResponseFilter;
  readonly timeZone: string;
  readonly interval?: Interval | undefined;
  readonly displayLanguage?: string | undefined;
}

/** Size of each of the two caches of statistics, in characters of JSON. */
const STATISTICS_CACHE = { maxSize: 16 * 1024 * 1024, sizeOf };
const CHARACTERS_PER_ENTRY = 80;
/** Sizes of the caches of slices, in map entries: about 60 MB. One survey or filter may use half of a cache. */
const MAX_CACHED_ENTRIES = 500_000;
const MAX_FILTERED_ENTRIES = 250_000;
const SLICE_TTL_MS = 24 * 60 * 60_000;
/** Above this number of responses, computing a summary takes more than about a tenth of a second. */
const LARGE_SURVEY = 5_000;
/** Filtered summaries that are being computed at a time. */
const FILTERED = { perKey: 4, total: 16 };
/** Surveys whose stored counts are read at a time. */
const READING = { perKey: 4, total: 8 };

export type SummaryService = ReturnType<typeof createSummaryService>;

/**
 * Summarizes the responses to surveys. Counts are cached by time slice, so a new summary reads only slices that changed.
 * The slices of whole surveys are also stored: a restarted process continues with them. Slices of a filter have their
 * own cache: filters cannot displace the counts of whole surveys.
 */
export function createSummaryService(
  { definitions, store, stored, read, windows, clock, now }: Dependencies,
  { maxCachedEntries = MAX_CACHED_ENTRIES, minResponses }: Options = {},
) {
  const sliceCounter = createSliceCounter({ store, read, clock }, minResponses);
  const whole = createSliceCache(maxCachedEntries);
  const filtered = createSliceCache(Math.min(maxCachedEntries, MAX_FILTERED_ENTRIES));
  const running = createKeyedSemaphore(FILTERED);
  const reading = createKeyedSemaphore(READING);
  /** Statistics that are valid until a response is written. */
  const cached = createCachedAggregates<SurveyStatistics>({ windows, ...STATISTICS_CACHE });
  /** Statistics of large surveys, cached for as long as they took to compute, so they use at most half of the process. */
  const recent = new LRUCache<string, SurveyStatistics>({
    maxSize: STATISTICS_CACHE.maxSize,
    sizeCalculation: STATISTICS_CACHE.sizeOf,
    perf: { now },
  });

  const refresh = createSingleFlight((key: string, survey: CompiledSurvey, filter: ResponseFilter) =>
    cached(survey, key, async (window) => {
      const startedAt = now();
      const { statistics, count } = await compute(survey, filter, window);
      if (count > LARGE_SURVEY) recent.set(key, statistics, { ttl: Math.ceil(now() - startedAt) });
      return statistics;
    }),
  );

  /** @param window the last write window if it is over */
  function compute(survey: CompiledSurvey, filter: ResponseFilter, window: number | undefined) {
    const count = () => countAll(survey, filter, window);
    return isFiltered(filter) ? running.run(survey.tenantId, count, toFilteredError) : count();
  }

  const readStored = createSingleFlight((_: string, survey: CompiledSurvey) =>
    reading.run(survey.tenantId, () => stored.find(survey, maxCachedEntries / 2), toReadingError),
  );

  async function countAll(
    survey: CompiledSurvey,
    { surveyId, since, until, ...filter }: ResponseFilter,
    window: number | undefined,
  ) {
    const { status } = filter;
    const isWhole = !isFiltered({ surveyId, ...filter });
    const key = JSON.stringify([survey.tenantId, surveyId, filter]);
    const { slices: cachedSlices, max } = isWhole ? whole : filtered;
    const known = cachedSlices.get(key) ?? (isWhole ? await readStored(key, survey) : undefined);
    const query = { tenantId: survey.tenantId, surveyId, filter, range: { since, until }, window };
    const checked = await sliceCounter.confirm(query, known?.slices ?? [{}]);
    const versions = await findVersions(survey, { ...filter, surveyId }, checked);
    const basis = toBasis(versions.keys());
    const saver = isWhole ? stored.createSaver(survey, basis) : undefined;
    const total = createSurveyTally(versions, { status });
    // Slices need no entries for options that nobody chose: the total has them.
    const createTally = () => createSurveyTally(versions, { status, maxListed: 0 });
    const previous = known?.basis === basis ? checked.map(({ slice }) => slice) : [{}];
    const slices: TimeSlice[] = [];
    let [count, entries] = [0, 0];
    try {
      for await (const { slice, inRange } of sliceCounter.count(query, previous, createTally)) {
        entries += slice.counted?.counts.size ?? 0;
        const isCached = entries <= max / 2;
        if (inRange !== undefined) {
          total.merge(inRange.counts);
          count += inRange.state.count;
          // The next summary counts the other slices again, and would store them again.
          if (isCached) await saver?.add(slice);
        }
        slices.push(isCached ? slice : { since: slice.since, until: slice.until });
      }
    } catch (error) {
      // Cache the completed slices, so that the next attempt continues after them.
      if (slices.length >= previous.length)
        cachedSlices.set(key, { basis, slices: [...slices, { since: slices.at(-1)?.until }] });
      throw error;
    } finally {
      await saver?.end();
    }
    cachedSlices.set(key, { basis, slices });
    total.times.pack();
    return { statistics: { counts: total.summary(), times: total.times }, count };
  }

  /** Returns the latest version and all versions that responses answer, or the version of the filter. */
  async function findVersions(
    survey: CompiledSurvey,
    filter: ResponseFilter,
    checked: readonly CheckedSlice[],
  ): Promise<Versions> {
    const { surveyVersion } = filter;
    // The versions of all times: slices are shared by all time ranges.
    const answered = checked.flatMap(({ slice, isConfirmed }) =>
      isConfirmed ? [...(slice.counted?.counts.versions.keys() ?? [])] : [],
    );
    for (const range of unconfirmedRanges(checked))
      answered.push(...(await store.findVersions(survey.tenantId, { ...filter, ...range })));
    const versions = new Map<number, CountedVersion>();
    const numbers = new Set([surveyVersion ?? survey.version, ...answered]);
    // A version that was published a moment ago can be answered already.
    for (const version of [...numbers].sort((one, other) => other - one)) {
      // A filter can name a version that does not exist.
      const isKnown = version === survey.version || answered.includes(version);
      const found = await (isKnown ? definitions.findAnswered : definitions.findVersion)(survey, version);
      if (found !== undefined) versions.set(version, found.compiled());
    }
    return versions;
  }

  return {
    /**
     * Throws `SURVEY_NOT_FOUND`, `INVALID_REQUEST` for an unknown time zone or too many intervals, and
     * `TOO_MANY_REQUESTS` if the tenant computes too many filtered summaries.
     */
    async get(tenantId: TenantId, { filter, timeZone, interval, displayLanguage }: SummaryQuery): Promise<Summary> {
      const style: SummaryStyle = { offsetAt: offsetsOf(timeZone), interval, displayLanguage };
      const survey = await definitions.findOwned(tenantId, filter.surveyId);
      // With the tenant: the id of a deleted survey can be used by another tenant.
      const key = JSON.stringify([tenantId, survey.version, filter]);
      const statistics = recent.get(key) ?? (await refresh(key, survey, filter));
      const findVersion = (version: number) => definitions.findAnswered(survey, version);
      return toSummary(statistics, style, findVersion);
    },
  };
}

function createSliceCache(max: number) {
  const slices = new LRUCache<string, Slices>({
    maxSize: max,
    sizeCalculation: entriesOf,
    ttl: SLICE_TTL_MS,
  });
  return { slices, max };
}

function isFiltered({ surveyId: _, ...filter }: ResponseFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}

/** @param detail the reason if the limit of a tenant is reached */
function toLimitError(reached: 'key' | 'total', detail: string): AppError {
  if (reached === 'total') return new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  return new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 1 });
}

function toFilteredError(reached: 'key' | 'total'): AppError {
  const detail = `${FILTERED.perKey} filtered summaries of your tenant are being computed; wait for one of them`;
  return toLimitError(reached, detail);
}

function toReadingError(reached: 'key' | 'total'): AppError {
  const detail = `the stored counts of ${READING.perKey} surveys of your tenant are being read; wait for one of them`;
  return toLimitError(reached, detail);
}

function sizeOf({ counts, times }: SurveyStatistics): number {
  return JSON.stringify(counts).length + times.size * CHARACTERS_PER_ENTRY;
}

function entriesOf({ slices }: Slices): number {
  return slices.reduce((sum, { counted }) => sum + 1 + (counted?.counts.size ?? 0), 0);
}
