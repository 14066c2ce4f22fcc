import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { concurrencyExceeded, concurrencyQuota } from '@survey/runtime/errors/quota';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import { LRUCache } from 'lru-cache';
import { canGroupBy, createFoundValues, type Grouping } from '../crosstabs/grouping.ts';
import type { ConditionService, Conditions } from '../responses/condition-service.ts';
import type { Response, ResponseAnswers } from '../responses/response.ts';
import type { ResponseFilter, Selection } from '../responses/response-filter.ts';
import { takesLonger } from '../responses/response-service.ts';
import type { ReadResponses, ResponseStreamStore } from '../responses/response-stream-store.ts';
import { createAggregateCache, type WriteWindows } from '../responses/write-window-store.ts';
import type { Clocks } from '../stopwatch.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { hideSmallCells } from './crosstab.ts';
import { type Slices, type StoredCounts, toBasis } from './stored-counts.ts';
import type { Summary } from './summary.ts';
import { type SummaryStyle, type SurveyStatistics, toSummary } from './summary-view.ts';
import { type CountedVersion, createSurveyTally, type TalliedResponse, type Versions } from './survey-tally.ts';
import { type Interval, offsetsOf } from './survey-times.ts';
import { type CheckedSlice, createSliceCounter, type TimeSlice, unconfirmedRanges } from './time-slices.ts';

interface Dependencies extends Clocks {
  readonly definitions: Pick<
    DefinitionService,
    'findOwned' | 'findAnsweredVersion' | 'findVersion' | 'findPublishedVersions'
  >;
  readonly store: Pick<ResponseStreamStore, 'findVersions' | 'findFingerprint'>;
  readonly stored: StoredCounts;
  readonly conditions: ConditionService;
  readonly read: ReadResponses<ResponseAnswers>;
  /** Reads all parts of responses, for groups by other parts than answers. */
  readonly readAll: ReadResponses<Response>;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastReadableWindow'>;
}

interface Options {
  readonly maxCachedEntries?: number | undefined;
  /** Number of responses above which a slice is split. */
  readonly splitAbove?: number | undefined;
  /** Maximum time of a request. Milliseconds. */
  readonly timeMs?: number;
}

export interface SummaryQuery {
  /** Selects the responses. Without a status, only the answers of completed responses are counted. */
  readonly selection: Selection;
  readonly timeZone: string;
  readonly interval?: Interval | undefined;
  readonly displayLanguage?: string | undefined;
  /** Lowest version of the survey that the summary must know. */
  readonly atLeastVersion?: number | undefined;
  readonly grouping?: Grouping | undefined;
  /** Hides counts of groups below this number. */
  readonly minCell?: number | undefined;
}

/** Selects the responses to count, and the groups to count by. */
interface Counted {
  readonly filter: ResponseFilter;
  readonly conditions: Conditions | undefined;
  readonly grouping: Grouping | undefined;
}

/** Maximum size of the cache of statistics, in characters of JSON. */
const MAX_STATISTICS = 16 * 1024 * 1024;
const CHARACTERS_PER_ENTRY = 80;
/** Maximum sizes of the caches of slices, in map entries: about 60 MB. One survey or filter may use half. */
const MAX_CACHED_ENTRIES = 500_000;
const MAX_FILTERED_ENTRIES = 250_000;
/** Above this number of responses, computing a summary takes more than a tenth of a second. */
const LARGE_SURVEY = 5_000;
/** Maximum number of filtered summaries that are computed at the same time, by tenant and in total. */
const FILTERED_CONCURRENCY = { perKey: 4, total: 16 };
/** Maximum number of surveys whose stored counts are read at the same time, by tenant and in total. */
const READ_CONCURRENCY = { perKey: 4, total: 8 };
/** Maximum number of published versions that are searched for the question of a grouping. */
const MAX_SEARCHED = 20;
/** Maximum time of a request. It is shorter than that of the gateway, whose error has no progress. Milliseconds. */
const TIME_MS = 25_000;

export type SummaryService = ReturnType<typeof createSummaryService>;

/**
 * Summarizes the responses to surveys. Counts are cached by time slice, so a new summary reads only the responses of
 * changed slices. Slices without a filter are also stored, for other replicas and after a restart. Slices with a filter
 * have a cache of their own, so that they cannot displace the counts of whole surveys.
 */
export function createSummaryService(
  { definitions, store, stored, conditions: conditionService, read, readAll, windows, clock, now }: Dependencies,
  { maxCachedEntries = MAX_CACHED_ENTRIES, splitAbove, timeMs = TIME_MS }: Options = {},
) {
  const sliceCounter = createSliceCounter({ store, read, clock }, splitAbove);
  /** Slices without a filter, by survey. */
  const whole = createSliceCache(maxCachedEntries);
  /** Slices with a filter, by survey and filter. */
  const filtered = createSliceCache(Math.min(maxCachedEntries, MAX_FILTERED_ENTRIES));
  const filteredSlots = createKeyedSemaphore(FILTERED_CONCURRENCY);
  const readSlots = createKeyedSemaphore(READ_CONCURRENCY);
  const cached = createAggregateCache<SurveyStatistics>({ windows, maxSize: MAX_STATISTICS, sizeOf, now });

  /**
   * Statistics of a large survey stay fresh for as long as computing took, so at most half of the time is spent on it.
   *
   * @param window number of the last write window, if it has ended. A process may write responses only in a write
   * window
   * @param onRead gets the number of further responses that were read
   */
  async function compute(
    survey: CompiledSurvey,
    counted: Counted,
    window: number | undefined,
    onRead: (count: number) => void,
  ) {
    const startedAt = now();
    const run = () => countSurvey(survey, counted, window, onRead);
    const { filter, conditions, grouping } = counted;
    const { statistics, count } = await (isFiltered(filter) || conditions !== undefined || grouping !== undefined
      ? filteredSlots.run(survey.tenantId, run, toFilteredError)
      : run());
    return { value: statistics, freshMs: count > LARGE_SURVEY ? now() - startedAt : 0 };
  }

  const readStored = createSingleFlight((_: string, survey: CompiledSurvey) =>
    readSlots.run(survey.tenantId, () => stored.find(survey, maxCachedEntries / 2), toReadingError),
  );

  /**
   * Counts the responses to a survey in slices of time:
   *
   * 1. Find slices that were counted earlier, in the cache or in MongoDB.
   * 2. Confirm the slices whose responses have not changed.
   * 3. Count the other slices. Add up the counts within the time range of the filter.
   * 4. Cache the slices. Store them if there is no filter.
   *
   * Slices of all time ranges share the values of groups that were found. If there are too many of them, the range is
   * counted alone, so that values outside of it do not take its places.
   *
   * @param window as for `compute`
   * @param onRead as for `compute`
   * @param isAlone whether to share neither slices nor found values with other time ranges
   */
  async function countSurvey(
    survey: CompiledSurvey,
    counted: Counted,
    window: number | undefined,
    onRead: (count: number) => void,
    isAlone = false,
  ): Promise<{ readonly statistics: SurveyStatistics; readonly count: number }> {
    const { conditions, grouping } = counted;
    const { surveyId, since, until, ...filter } = counted.filter;
    const { status } = filter;
    const countAlone = () => countSurvey(survey, counted, window, onRead, true);
    const isWhole = !isFiltered({ surveyId, ...filter }) && conditions === undefined && grouping === undefined;
    const tested = conditions && [survey.version, conditions.digest];
    /** One slice without counts. Unless the range is alone, it has no limits. */
    const uncounted: TimeSlice = isAlone ? { since, until } : {};
    const key = JSON.stringify([survey.tenantId, surveyId, filter, tested, grouping, isAlone && uncounted]);
    const cachedSlices = isWhole ? whole : filtered;
    const known = cachedSlices.get(key) ?? (isWhole ? await readStored(key, survey) : undefined);
    if (known?.found?.isFull === true && !isAlone) return countAlone();
    async function* readTested(tenantId: TenantId, range: ResponseFilter): AsyncGenerator<readonly TalliedResponse[]> {
      const readParts = grouping === undefined || grouping.by === 'question' ? read : readAll;
      const chunks = conditions ? conditionService.read(tenantId, range, conditions) : readParts(tenantId, range);
      for await (const responses of chunks) {
        onRead(responses.length);
        yield responses;
      }
    }
    const query = { tenantId: survey.tenantId, surveyId, filter, range: { since, until }, readTested, window };
    const checked = await sliceCounter.confirm(query, known?.slices ?? [uncounted]);
    const versions = await findVersions(survey, { ...filter, surveyId }, checked);
    const basis = toBasis(versions.keys());
    const saver = isWhole ? stored.createSaver(survey, basis) : undefined;
    const surveyCreatedAt = survey.createdAt;
    const isSame = known?.basis === basis;
    const found = (isSame && known.found) || createFoundValues();
    const groups = grouping && { grouping, found };
    const total = createSurveyTally(versions, { status, groups });
    // Only the total lists options that no respondent chose.
    const createTally = () => createSurveyTally(versions, { status, maxListed: 0, surveyCreatedAt, groups });
    const previous = isSame ? checked.map(({ slice }) => slice) : [uncounted];
    const slices: TimeSlice[] = [];
    let [count, entries] = [0, 0];
    try {
      for await (const { slice, inRange } of sliceCounter.count(query, previous, createTally)) {
        entries += slice.counted?.counts.size ?? 0;
        const isCached = entries <= cachedSlices.maxSize / 2;
        if (inRange !== undefined) {
          total.merge(inRange.counts);
          count += inRange.state.count;
          // Do not store a slice that is not cached, because each summary would count and store it again.
          if (isCached) await saver?.add(slice);
        }
        slices.push(isCached ? slice : { since: slice.since, until: slice.until });
        if (found.isFull && !isAlone) break;
      }
    } catch (error) {
      // Cache the counted slices for the next attempt, unless the cache has more slices.
      if (slices.length >= previous.length)
        cachedSlices.set(key, { basis, slices: [...slices, { ...uncounted, since: slices.at(-1)?.until }], found });
      throw error;
    } finally {
      await saver?.end();
    }
    if (found.isFull && !isAlone) {
      cachedSlices.set(key, { basis, slices: [uncounted], found });
      return countAlone();
    }
    cachedSlices.set(key, { basis, slices, found });
    total.times.pack();
    return { statistics: { counts: total.summary(), times: total.times }, count };
  }

  /** Returns the versions that matching responses answer, and the version of the filter or else the latest version. */
  async function findVersions(
    survey: CompiledSurvey,
    filter: ResponseFilter,
    checked: readonly CheckedSlice[],
  ): Promise<Versions> {
    const { surveyVersion } = filter;
    // Include versions outside of the time range, because filters with other ranges use the same slices.
    const answered = checked.flatMap(({ slice, isConfirmed }) =>
      isConfirmed ? [...(slice.counted?.counts.versions.keys() ?? [])] : [],
    );
    for (const range of unconfirmedRanges(checked))
      answered.push(...(await store.findVersions(survey.tenantId, { ...filter, ...range })));
    const versions = new Map<number, CountedVersion>();
    const numbers = new Set([surveyVersion ?? survey.version, ...answered]);
    // Latest version first. The first one can be later than `survey.version`.
    for (const version of [...numbers].sort((one, other) => other - one)) {
      // A filter can name a version that does not exist.
      const isKnown = version === survey.version || answered.includes(version);
      const found = await (isKnown ? definitions.findAnsweredVersion : definitions.findVersion)(survey, version);
      if (found !== undefined) versions.set(version, found.compiled());
    }
    return versions;
  }

  /** Throws `VALIDATION_FAILED` if responses cannot be grouped by the question, or no version has it. */
  async function checkGrouping(survey: CompiledSurvey, grouping: Grouping | undefined): Promise<void> {
    if (grouping?.by !== 'question') return;
    const { questionId } = grouping;
    const question = findQuestion(survey, questionId) ?? (await findEarlierQuestion(survey, questionId));
    if (question === undefined) throw toGroupingError('UNKNOWN_QUESTION', 'the survey has no question with this id');
    if (!canGroupBy(question))
      throw toGroupingError(
        'NOT_GROUPABLE',
        `${question.type}: use a single_choice, multiple_choice, likert without rows, or rating with at most 101 values`,
      );
  }

  async function findEarlierQuestion(survey: CompiledSurvey, questionId: string) {
    const published = await definitions.findPublishedVersions(survey);
    for (const version of published.toSorted((one, other) => other - one).slice(0, MAX_SEARCHED)) {
      const question = findQuestion(await definitions.findAnsweredVersion(survey, version), questionId);
      if (question !== undefined) return question;
    }
    return undefined;
  }

  return {
    /**
     * Throws `SURVEY_NOT_FOUND`, `INVALID_REQUEST` for an unknown time zone or too many intervals, `VALIDATION_FAILED`
     * for wrong conditions and groups,
     * `TOO_MANY_REQUESTS` or `OVERLOADED` if too many summaries are being computed, and `DEADLINE_EXCEEDED` if it takes
     * long: computing goes on, and a later call gets the result.
     */
    async get(tenantId: TenantId, query: SummaryQuery): Promise<Summary> {
      const { timeZone, interval, displayLanguage, atLeastVersion, grouping, minCell = 0 } = query;
      const style: SummaryStyle = { offsetAt: offsetsOf(timeZone), interval, displayLanguage };
      const survey = await definitions.findOwned(tenantId, query.selection.surveyId, atLeastVersion);
      const { filter, conditions } = await conditionService.resolve(survey, query.selection);
      await checkGrouping(survey, grouping);
      const key = JSON.stringify([survey.version, filter, conditions?.digest, grouping]);
      const counted = { filter, conditions, grouping };
      const computing = cached.find(survey, key, (window, onRead) => compute(survey, counted, window, onRead));
      const { times, counts } = await withTimeLimit(computing, timeMs, () => {
        throw takesLonger('The summary', cached.findProgress(survey, key));
      });
      const findVersion = (version: number) => definitions.findAnsweredVersion(survey, version);
      const lackingQuestion = conditions && counts.lackingQuestion;
      const statistics = { times, counts: hideSmallCells(counts, minCell) };
      return { surveyVersion: survey.version, lackingQuestion, ...(await toSummary(statistics, style, findVersion)) };
    },
  };
}

function findQuestion(survey: CompiledSurvey, questionId: string): CountedQuestion | undefined {
  return survey.compiled().questions.find(({ id }) => id === questionId);
}

function toGroupingError(code: string, detail: string): AppError {
  return new AppError('VALIDATION_FAILED', { errors: [{ path: '/by_question', code, detail }] });
}

function toLimitError({ perKey }: { readonly perKey: number }, busy: string) {
  const quota = concurrencyQuota('concurrent-summaries', perKey);
  return (reached: 'key' | 'total') => concurrencyExceeded(reached, quota, { busy, retryAfterSeconds: 1 });
}

const toFilteredError = toLimitError(FILTERED_CONCURRENCY, 'filtered summaries of your tenant are being computed');
const toReadingError = toLimitError(READ_CONCURRENCY, 'summaries of surveys of your tenant are being loaded');

function sizeOf({ counts, times }: SurveyStatistics): number {
  return JSON.stringify(counts).length + times.size() * CHARACTERS_PER_ENTRY;
}

/** @param max maximum size in map entries */
function createSliceCache(max: number) {
  const sizeOfSlices = ({ slices }: Slices) =>
    slices.reduce((sum, { counted }) => sum + 1 + (counted?.counts.size ?? 0), 0);
  return new LRUCache<string, Slices>({ maxSize: max, sizeCalculation: sizeOfSlices });
}

/** Whether a filter selects only some of the responses to a survey. */
function isFiltered({ surveyId: _, ...filter }: ResponseFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}
