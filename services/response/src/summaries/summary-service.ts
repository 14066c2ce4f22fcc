import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { createCachedAggregates } from '../responses/cached-aggregates.ts';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type DayOf, dayIn } from './day-in.ts';
import type { Summary } from './summary.ts';
import { createSurveyTally, type Versions } from './survey-tally.ts';
import { createSliceCounter, type TimeSlice } from './time-slices.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions' | 'findState'>;
  readonly read: ReadResponses<ResponseAnswers>;
  readonly windows: Pick<WriteWindows, 'lastWindowOf' | 'lastIfClosed'>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Size of each of the two caches of summaries, in characters of JSON. */
const SUMMARY_CACHE = {
  maxSize: 16 * 1024 * 1024,
  sizeOf: (summary: Summary) => JSON.stringify(summary).length,
};
/** Size of the cache of slices, in map entries: about 40 MB. One survey may use half of it. */
const MAX_CACHED_ENTRIES = 500_000;
const SLICE_TTL_MS = 24 * 60 * 60_000;
/** Above this number of responses, computing a summary takes more than about a tenth of a second. */
const LARGE_SURVEY = 5_000;

export type SummaryService = ReturnType<typeof createSummaryService>;

/**
 * Summarizes the responses to surveys. Counts are cached by time slice, so a new summary reads only slices that changed.
 */
export function createSummaryService(
  { definitions, store, read, windows, now }: Dependencies,
  maxCachedEntries = MAX_CACHED_ENTRIES,
) {
  const countSlices = createSliceCounter({ store, read });
  const cachedSlices = new LRUCache<string, readonly TimeSlice[]>({
    maxSize: maxCachedEntries,
    sizeCalculation: entriesOf,
    ttl: SLICE_TTL_MS,
  });
  /** Summaries that are valid until a response is written. */
  const cached = createCachedAggregates<Summary>({ windows, ...SUMMARY_CACHE });
  /** Large summaries, cached for as long as they took to compute, so they use at most half of the process. */
  const recent = new LRUCache<string, Summary>({
    maxSize: SUMMARY_CACHE.maxSize,
    sizeCalculation: SUMMARY_CACHE.sizeOf,
    perf: { now },
  });

  const refresh = createSingleFlight((key: string, survey: Definition, dayOf: DayOf) =>
    cached(survey, key, async () => {
      const startedAt = now();
      const { summary, count } = await summarize(key, survey, dayOf);
      if (count > LARGE_SURVEY) recent.set(key, summary, { ttl: Math.ceil(now() - startedAt) });
      return summary;
    }),
  );

  async function summarize(summaryKey: string, survey: Definition, dayOf: DayOf) {
    const versions = await findVersions(survey);
    const key = JSON.stringify([summaryKey, ...versions.keys()]);
    const total = createSurveyTally(versions, dayOf);
    // Slices need no entries for options that nobody chose: the total has them.
    const createTally = () => createSurveyTally(versions, dayOf, { maxListed: 0 });
    const previous = cachedSlices.get(key) ?? [{}];
    const slices: TimeSlice[] = [];
    let [count, entries] = [0, 0];
    try {
      for await (const slice of countSlices(survey, previous, createTally)) {
        const { since, until } = slice;
        const { state, counts } = slice.counted;
        total.merge(counts);
        count += state.count;
        entries += counts.size;
        slices.push(entries > maxCachedEntries / 2 ? { since, until } : slice);
      }
    } catch (error) {
      // Cache the completed slices, so that the next attempt continues after them.
      if (slices.length >= previous.length) cachedSlices.set(key, [...slices, { since: slices.at(-1)?.until }]);
      throw error;
    }
    cachedSlices.set(key, slices);
    return { summary: total.summary(), count };
  }

  /** Returns the questions of the latest version and of all versions that responses answer. */
  async function findVersions(survey: Definition): Promise<Versions> {
    const { tenantId, surveyId, version: latest } = survey;
    const questions = new Map<number, readonly CountedQuestion[]>();
    for (const version of new Set([latest, ...(await store.findVersions(tenantId, { surveyId }))]))
      questions.set(version, (await definitions.findAnswered(survey, version)).compiled().questions);
    return questions;
  }

  return {
    /** Throws `SURVEY_NOT_FOUND`, and `INVALID_REQUEST` for an unknown time zone. */
    async get(tenantId: TenantId, surveyId: string, timeZone: string): Promise<Summary> {
      const dayOf = dayIn(timeZone);
      const survey = await definitions.findOwned(tenantId, surveyId);
      const key = JSON.stringify([surveyId, survey.version, timeZone]);
      return recent.get(key) ?? refresh(key, survey, dayOf);
    },
  };
}

function entriesOf(slices: readonly TimeSlice[]): number {
  return slices.reduce((sum, { counted }) => sum + 1 + (counted?.counts.size ?? 0), 0);
}
