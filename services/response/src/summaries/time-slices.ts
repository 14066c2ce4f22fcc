import type { ResponseAnswers } from '../responses/response.ts';
import type { ReadResponses } from '../responses/response-stream.ts';
import type { ResponseStreamStore, ResponsesState } from '../responses/response-stream-store.ts';
import type { SurveyRef } from '../responses/write-window-store.ts';
import type { SurveyCounts, SurveyTally } from './survey-tally.ts';

/** A time range of responses to a survey, by the time of storage. Without `since` or `until` it is unbounded. */
export interface TimeSlice {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly counted?: SliceCounts | undefined;
}

interface SliceCounts {
  /** State of the counted responses. If it differs now, the slice must be counted again. */
  readonly state: ResponsesState;
  readonly counts: SurveyCounts;
}

type CountedSlice = TimeSlice & { readonly counted: SliceCounts };

/**
 * Counts the responses to a survey slice by slice, oldest first. Skips slices whose responses have not changed since
 * they were counted. Splits slices that have become large.
 */
type CountSlices = (
  survey: SurveyRef,
  slices: readonly TimeSlice[],
  createTally: () => SurveyTally,
) => AsyncIterable<CountedSlice>;

interface Dependencies {
  readonly store: Pick<ResponseStreamStore, 'findState'>;
  readonly read: ReadResponses<ResponseAnswers>;
}

/** A slice is split only after this many responses. */
const MIN_RESPONSES = 10_000;

export function createSliceCounter({ store, read }: Dependencies, minResponses = MIN_RESPONSES): CountSlices {
  async function isUnchanged({ tenantId, surveyId }: SurveyRef, { since, until, counted }: CountedSlice) {
    // Counting stops at one response more than before, because that already shows a change.
    const max = counted.state.count + 1;
    const { count, changedMs } = await store.findState(tenantId, { surveyId, since, until }, max);
    return count === counted.state.count && changedMs === counted.state.changedMs;
  }

  async function* recount(
    { tenantId, surveyId }: SurveyRef,
    slice: TimeSlice,
    createTally: () => SurveyTally,
  ): AsyncGenerator<CountedSlice> {
    const { until } = slice;
    let { since } = slice;
    let counter = createCounter(createTally());
    for await (const responses of read(tenantId, { surveyId, since, until })) {
      const next = responses[0]?.createdAt;
      // Split only between responses with different times.
      if (next !== undefined && counter.count() >= minResponses && counter.isBefore(next)) {
        yield { since, until: next, counted: counter.end() };
        since = next;
        counter = createCounter(createTally());
      }
      counter.add(responses);
    }
    yield { since, until, counted: counter.end() };
  }

  return async function* (survey, slices, createTally) {
    for (const slice of slices)
      if (isCounted(slice) && (await isUnchanged(survey, slice))) yield slice;
      else yield* recount(survey, slice, createTally);
  };
}

function isCounted(slice: TimeSlice): slice is CountedSlice {
  return slice.counted !== undefined;
}

/** Counts one slice. */
function createCounter(tally: SurveyTally) {
  let count = 0;
  let changedMs = 0n;
  let last: Date | undefined;
  return {
    count: () => count,
    isBefore: (time: Date) => last !== undefined && last < time,
    add(responses: readonly ResponseAnswers[]): void {
      for (const response of responses) tally.add(response);
      count += responses.length;
      changedMs += BigInt(responses.reduce((sum, { updatedAt }) => sum + updatedAt.getTime(), 0));
      last = responses.at(-1)?.createdAt ?? last;
    },
    end: (): SliceCounts => ({ state: { count, changedMs }, counts: tally.counts() }),
  };
}
