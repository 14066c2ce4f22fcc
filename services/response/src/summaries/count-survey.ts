import type { CompiledSurvey } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { SliceCache } from './slice-cache.ts';
import { type Slices, type StoredCounts, toBasis } from './stored-counts.ts';
import type { SurveyStatistics } from './summary-view.ts';
import { type CountedVersion, createSurveyTally, type Versions } from './survey-tally.ts';
import { type CheckedSlice, type SliceCounter, type TimeSlice, unconfirmedRanges } from './time-slices.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findAnswered' | 'findVersion'>;
  readonly store: Pick<ResponseStreamStore, 'findVersions'>;
  readonly stored: Pick<StoredCounts, 'createSaver'>;
  readonly sliceCounter: SliceCounter;
  /** Slices of counts without a filter. */
  readonly whole: SliceCache;
  /** Slices of counts with a filter. */
  readonly filtered: SliceCache;
  /** Reads the stored slices of a whole survey. */
  readonly readStored: (key: string, survey: CompiledSurvey) => Promise<Slices | undefined>;
}

/**
 * Counts the responses to a survey in slices of time:
 *
 * 1. finds slices that were counted earlier, in the cache or in MongoDB
 * 2. confirms those whose responses have not changed
 * 3. counts the others, and adds all slices within the time range of the filter
 * 4. caches the slices, and stores those without a filter
 *
 * @param window the last write window; undefined while it is open
 */
export type CountSurvey = (
  survey: CompiledSurvey,
  filter: ResponseFilter,
  window: number | undefined,
) => Promise<{ readonly statistics: SurveyStatistics; readonly count: number }>;

export function createCountSurvey(dependencies: Dependencies): CountSurvey {
  const { definitions, store, stored, sliceCounter, whole, filtered, readStored } = dependencies;

  async function countSurvey(
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
    // `[{}]` is one slice of all times, without counts.
    const checked = await sliceCounter.confirm(query, known?.slices ?? [{}]);
    const versions = await findVersions(survey, { ...filter, surveyId }, checked);
    const basis = toBasis(versions.keys());
    const saver = isWhole ? stored.createSaver(survey, basis) : undefined;
    const surveyCreatedAt = survey.createdAt;
    const total = createSurveyTally(versions, { status });
    // Slices need no entries for options that nobody chose: the total has them.
    const createTally = () => createSurveyTally(versions, { status, maxListed: 0, surveyCreatedAt });
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
          // Do not store a slice that is not cached: each summary counts it again, and would store it again.
          if (isCached) await saver?.add(slice);
        }
        slices.push(isCached ? slice : { since: slice.since, until: slice.until });
      }
    } catch (error) {
      // Cache the completed slices, unless there were more before. The next attempt continues after them.
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
    // Include versions outside of the time range: filters with other ranges use the same slices.
    const answered = checked.flatMap(({ slice, isConfirmed }) =>
      isConfirmed ? [...(slice.counted?.counts.versions.keys() ?? [])] : [],
    );
    for (const range of unconfirmedRanges(checked))
      answered.push(...(await store.findVersions(survey.tenantId, { ...filter, ...range })));
    const versions = new Map<number, CountedVersion>();
    const numbers = new Set([surveyVersion ?? survey.version, ...answered]);
    // Latest version first. The first one can have been published after `survey` was read.
    for (const version of [...numbers].sort((one, other) => other - one)) {
      // A filter can name a version that does not exist.
      const isKnown = version === survey.version || answered.includes(version);
      const found = await (isKnown ? definitions.findAnswered : definitions.findVersion)(survey, version);
      if (found !== undefined) versions.set(version, found.compiled());
    }
    return versions;
  }

  return countSurvey;
}

/** Whether a filter selects only some of the responses to a survey. */
export function isFiltered({ surveyId: _, ...filter }: ResponseFilter): boolean {
  return Object.values(filter).some((member) => member !== undefined);
}
