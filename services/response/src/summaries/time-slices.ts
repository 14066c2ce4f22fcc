import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ReadResponses, ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { Confirmation } from '../responses/slice-store.ts';
import { type SurveyRef, TRUSTED_MS } from '../responses/write-window-store.ts';
import type { CountsWithState } from './counts-codec.ts';
import type { SurveyTally, TalliedResponse } from './survey-tally.ts';

/** A time range of responses, by `createdAt`. Without `since` or `until`, it has no start or end. */
export interface TimeRange {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/**
 * A slice: a time range of the responses to a survey, with their counts if they are known. The slices of a survey cover
 * all times. A summary adds up the counts of slices. After a change, only slices with changed responses are counted
 * again.
 */
export interface TimeSlice extends TimeRange {
  readonly counted?: SliceCounts | undefined;
}

/** Selects the responses to count: responses that match `filter` and are in `range`. */
interface SliceQuery extends SurveyRef {
  readonly filter?: Omit<ResponseFilter, 'surveyId' | 'since' | 'until'>;
  readonly range?: TimeRange;
  /**
   * Reads responses with the outcomes of conditions. Responses for which the conditions do not hold are in the state of
   * a slice, and not in its counts. Undefined if there are no conditions.
   */
  readonly readTested?: ReadResponses<TalliedResponse> | undefined;
  /** The last write window (`WriteWindows`) if it has ended. No response changes until another one opens. */
  readonly window?: number | undefined;
}

/**
 * Counts of a slice. `state` is a fingerprint of the counted responses. If the stored responses have another
 * fingerprint, the slice must be counted again. `confirmation`: the last comparison of the fingerprints, and the write
 * window at that time.
 */
interface SliceCounts extends CountsWithState {
  readonly confirmation: Confirmation;
}

/** A slice, with its counts within the range of the query. */
interface SliceResult {
  readonly slice: TimeSlice;
  readonly inRange?: SliceCounts;
}

export type CountedSlice = TimeSlice & { readonly counted: SliceCounts };

/**
 * A slice before counting. `isConfirmed`: its counts are right. An unconfirmed slice has no counts, or unchecked counts
 * that this query does not use, because the slice is not completely in the range.
 */
export interface CheckedSlice {
  readonly slice: TimeSlice;
  readonly isConfirmed: boolean;
}

interface Dependencies {
  readonly store: Pick<ResponseStreamStore, 'findFingerprint'>;
  readonly read: ReadResponses<ResponseAnswers>;
  readonly clock: () => Date;
}

/** A slice is split after this many responses. */
const MIN_RESPONSES = 10_000;
/** Number of concurrent checks for one summary. */
const CONCURRENT_CHECKS = 2;

/** Counts the responses to a survey by time slice, and checks whether earlier counts are still right. */
export function createSliceCounter({ store, read, clock }: Dependencies, minResponses = MIN_RESPONSES) {
  async function check(query: SliceQuery, slice: TimeSlice): Promise<CheckedSlice> {
    const at = clock();
    if (!isCounted(slice)) return { slice, isConfirmed: false };
    if (!isComplete(slice.counted)) return { slice: withoutCounts(slice), isConfirmed: false };
    if (isTrusted(slice, query.window, at)) return { slice, isConfirmed: true };
    // The query counts the part in the range again, and does not use the counts of the slice.
    if (!contains(query.range ?? {}, slice)) return { slice, isConfirmed: false };
    const { counted } = slice;
    if (!(await isUnchanged(store, query.tenantId, toFilter(query, slice), counted)))
      return { slice: withoutCounts(slice), isConfirmed: false };
    const confirmation = { window: query.window, at };
    return { slice: { ...slice, counted: { ...counted, confirmation } }, isConfirmed: true };
  }

  function createCounter(query: SliceQuery, tally: SurveyTally) {
    return createTallyCounter(tally, { window: query.window, at: clock() });
  }

  function readRange(query: SliceQuery, range: TimeRange): AsyncIterable<readonly TalliedResponse[]> {
    const { tenantId, readTested = read } = query;
    return readTested(tenantId, toFilter(query, range));
  }

  async function* recount(
    query: SliceQuery,
    slice: TimeSlice,
    createTally: () => SurveyTally,
  ): AsyncGenerator<CountedSlice> {
    const { until } = slice;
    let { since } = slice;
    let counter = createCounter(query, createTally());
    for await (const responses of readRange(query, { since, until })) {
      const next = responses[0]?.createdAt;
      if (next !== undefined && counter.count() >= minResponses && counter.isBefore(next)) {
        yield { since, until: next, counted: counter.end() };
        since = next;
        counter = createCounter(query, createTally());
      }
      counter.add(responses);
    }
    yield { since, until, counted: counter.end() };
  }

  /** Counts the part of a slice that is in the range. */
  async function countPart(query: SliceQuery, { since, until }: TimeSlice, createTally: () => SurveyTally) {
    const { range = {} } = query;
    const part = { since: latest(since, range.since), until: earliest(until, range.until) };
    const counter = createCounter(query, createTally());
    for await (const responses of readRange(query, part)) counter.add(responses);
    return counter.end();
  }

  /**
   * Counts a slice, or its part in the range. A slice without counts is split first, at the beginning of the first day
   * of the range and at the end of the last day. A slice with counts is not split, so the recursion ends.
   */
  async function* countSlice(
    query: SliceQuery,
    slice: TimeSlice,
    createTally: () => SurveyTally,
  ): AsyncGenerator<SliceResult> {
    const { range = {} } = query;
    if (!overlap(slice, range)) yield { slice };
    else if (contains(range, slice)) {
      if (isCounted(slice)) yield { slice, inRange: slice.counted };
      else for await (const part of recount(query, slice, createTally)) yield { slice: part, inRange: part.counted };
    } else if (isCounted(slice)) yield { slice, inRange: await countPart(query, slice, createTally) };
    else {
      const { since, until } = slice;
      const day = splittingDay(slice, range);
      if (day === undefined)
        // Count the whole slice: the next range probably has a limit on the same day, and can use the counts.
        for await (const part of recount(query, slice, createTally)) yield* countSlice(query, part, createTally);
      else
        for (const part of [
          { since, until: day },
          { since: day, until },
        ])
          yield* countSlice(query, part, createTally);
    }
  }

  return {
    /** Removes outdated counts. A slice that is not completely in the range keeps its counts unchecked. */
    async confirm(query: SliceQuery, slices: readonly TimeSlice[]): Promise<readonly CheckedSlice[]> {
      const checked = new Map<number, CheckedSlice>();
      // Concurrent checks take slices from the same iterator.
      const remaining = slices.entries();
      async function checkRemaining(): Promise<void> {
        for (const [index, slice] of remaining) checked.set(index, await check(query, slice));
      }
      await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, checkRemaining));
      return slices.map((slice, index) => checked.get(index) ?? { slice, isConfirmed: false });
    },

    /**
     * Counts the responses of a query slice by slice, oldest first. Uses the counts of slices that have some. Splits
     * large slices. The results contain all slices, so that a query with another range can reuse them.
     */
    async *count(
      query: SliceQuery,
      slices: readonly TimeSlice[],
      createTally: () => SurveyTally,
    ): AsyncIterable<SliceResult> {
      for (const slice of slices) yield* countSlice(query, slice, createTally);
    },
  };
}

/** Returns the time ranges of unconfirmed slices, in order. Merges neighbours. */
export function unconfirmedRanges(checked: readonly CheckedSlice[]): readonly TimeRange[] {
  const ranges: TimeRange[] = [];
  let wasConfirmed = true;
  for (const { slice, isConfirmed } of checked) {
    const { until } = slice;
    if (!isConfirmed) ranges.push({ since: wasConfirmed ? slice.since : ranges.pop()?.since, until });
    wasConfirmed = isConfirmed;
  }
  return ranges;
}

/** Whether the matching responses have not changed since they were counted. */
export async function isUnchanged(
  store: Pick<ResponseStreamStore, 'findFingerprint'>,
  tenantId: TenantId,
  filter: ResponseFilter,
  { state }: CountsWithState,
): Promise<boolean> {
  // Reading one more response than before is enough to detect a change.
  const { count, changedMs } = await store.findFingerprint(tenantId, filter, state.count + 1);
  return count === state.count && changedMs === state.changedMs;
}

function toFilter({ surveyId, filter }: SliceQuery, { since, until }: TimeRange): ResponseFilter {
  return { ...filter, surveyId, since, until };
}

/**
 * Whether the write window proves that the responses of a slice have not changed: no other window has opened since the
 * confirmation. The proof is valid for a day, because a late write can miss its window (`TRUSTED_MS`).
 *
 * False for the last slice, which has no end. Counting omits responses whose time is more than a minute ahead
 * (`createResponseStream`), and these appear later without another window.
 */
function isTrusted(slice: CountedSlice, window: number | undefined, time: Date): boolean {
  const { confirmation } = slice.counted;
  const isRecent = time.getTime() - confirmation.at.getTime() < TRUSTED_MS;
  return isConfirmedAfterEnd(slice) && window !== undefined && confirmation.window === window && isRecent;
}

/** Whether the counts were confirmed after the end of the slice. New responses normally belong to later slices. */
export function isConfirmedAfterEnd(slice: CountedSlice): slice is CountedSlice & { readonly until: Date } {
  return slice.until !== undefined && slice.until <= slice.counted.confirmation.at;
}

/** Whether all responses were counted. Counting omits responses to a version that was published during the count. */
export function isComplete({ state, counts }: CountsWithState): boolean {
  const { unmatched } = counts.conditions;
  return state.count === counts.versions.values().reduce((sum, { all }) => sum + all, unmatched);
}

function withoutCounts({ since, until }: TimeSlice): TimeSlice {
  return { since, until };
}

export function isCounted(slice: TimeSlice): slice is CountedSlice {
  return slice.counted !== undefined;
}

function createTallyCounter(tally: SurveyTally, confirmation: Confirmation) {
  let count = 0;
  let changedMs = 0n;
  let last: Date | undefined;
  return {
    count: () => count,
    isBefore: (time: Date) => last !== undefined && last < time,
    add(responses: readonly TalliedResponse[]): void {
      for (const response of responses) tally.add(response);
      count += responses.length;
      // The sum is exact, because a chunk has at most a hundred responses.
      changedMs += BigInt(responses.reduce((sum, { updatedAt }) => sum + updatedAt.getTime(), 0));
      last = responses.at(-1)?.createdAt ?? last;
    },
    end: (): SliceCounts => ({ state: { count, changedMs }, counts: tally.counts(), confirmation }),
  };
}

const DAY_MS = 24 * 60 * 60_000;

function overlap(one: TimeRange, other: TimeRange): boolean {
  return isOrdered(one.since, other.until) && isOrdered(other.since, one.until);
}

/** Whether a range with these limits is not empty. */
function isOrdered(since: Date | undefined, until: Date | undefined): boolean {
  return since === undefined || until === undefined || since < until;
}

/** Whether the first range includes the other. */
function contains(range: TimeRange, { since, until }: TimeRange): boolean {
  // Both functions return the first of equal dates, so it is enough to compare the objects.
  return latest(since, range.since) === since && earliest(until, range.until) === until;
}

/** Returns the later of two starts, or the first if they are equal. */
function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one >= other) ? one : other;
}

/** Returns the earlier of two ends, or the first if they are equal. */
function earliest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one <= other) ? one : other;
}

/**
 * Returns the time at which to split a slice that is partly in the range: the start of the first day of the range, or
 * the end of the last day. Returns undefined if the slice contains neither.
 */
function splittingDay(slice: TimeRange, range: TimeRange): Date | undefined {
  const isWithin = (day: Date) =>
    (slice.since === undefined || slice.since < day) && (slice.until === undefined || day < slice.until);
  const firstDayStart = range.since && new Date(Math.floor(range.since.getTime() / DAY_MS) * DAY_MS);
  const lastDayEnd = range.until && new Date(Math.ceil(range.until.getTime() / DAY_MS) * DAY_MS);
  return [firstDayStart, lastDayEnd].find((day) => day !== undefined && isWithin(day));
}
