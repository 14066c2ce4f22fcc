import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { ResponseAnswers } from '../responses/response.ts';
import type { ResponseFilter } from '../responses/response-filter.ts';
import type { ReadResponses, ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { Confirmation } from '../responses/slice-store.ts';
import { type SurveyRef, TRUSTED_MS } from '../responses/write-window-store.ts';
import type { CountsWithState } from './counts-codec.ts';
import type { SurveyTally } from './survey-tally.ts';

/** A time range of responses, by the time of storage. Without `since` or `until` it is unbounded. */
export interface TimeRange {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/**
 * A slice: a time range of the responses to a survey, and their counts if they were counted. The slices of a survey
 * cover all times. A summary adds the counts of slices, so after a change only slices with changed responses are
 * counted again.
 */
export interface TimeSlice extends TimeRange {
  readonly counted?: SliceCounts | undefined;
}

/** Selects the responses to count: those that match `filter` and are in `range`. */
interface SliceQuery extends SurveyRef {
  readonly filter?: Omit<ResponseFilter, 'surveyId' | 'since' | 'until'>;
  readonly range?: TimeRange;
  /**
   * The last write window of the survey, if it has ended. A window is a time span in which a process may write
   * responses (`WriteWindows`), so responses change only in a newer one.
   */
  readonly window?: number | undefined;
}

/**
 * Counts of a slice. `state` has the number of counted responses, and the sum of the times of their last changes. If it
 * differs from that of the stored responses, the slice must be counted again. `confirmation`: the last time at which
 * the counts were right, and the write window at that time.
 */
interface SliceCounts extends CountsWithState {
  readonly confirmation: Confirmation;
}

/** The counts of a slice within the range; undefined outside of it. */
interface SliceResult {
  readonly slice: TimeSlice;
  readonly inRange?: SliceCounts;
}

export type CountedSlice = TimeSlice & { readonly counted: SliceCounts };

/**
 * A slice before counting. `isConfirmed`: its counts are right. An unconfirmed slice has no counts, because they were
 * wrong or never made. If it is only partly in the range, it keeps its counts unchecked: this query does not use them.
 */
export interface CheckedSlice {
  readonly slice: TimeSlice;
  readonly isConfirmed: boolean;
}

interface Dependencies {
  readonly store: Pick<ResponseStreamStore, 'findState'>;
  readonly read: ReadResponses<ResponseAnswers>;
  readonly clock: () => Date;
}

/** A slice is split only after this many responses. */
const MIN_RESPONSES = 10_000;
/** Checks of slices that run at the same time, for one summary. They mostly wait for the database. */
const CONCURRENT_CHECKS = 2;

/** Counts the responses to a survey in slices of time, and finds out which earlier counts are still right. */
export function createSliceCounter({ store, read, clock }: Dependencies, minResponses = MIN_RESPONSES) {
  /** Checks the counts of a slice. Begins with the checks that need no database. */
  async function check(query: SliceQuery, slice: TimeSlice): Promise<CheckedSlice> {
    const at = clock();
    if (!isCounted(slice)) return { slice, isConfirmed: false };
    if (!isComplete(slice.counted)) return { slice: withoutCounts(slice), isConfirmed: false };
    if (isTrusted(slice, query.window, at)) return { slice, isConfirmed: true };
    // The query counts the part in the range again, so do not compare the counts of the whole slice.
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

  async function* recount(
    query: SliceQuery,
    slice: TimeSlice,
    createTally: () => SurveyTally,
  ): AsyncGenerator<CountedSlice> {
    const { until } = slice;
    let { since } = slice;
    let counter = createCounter(query, createTally());
    for await (const responses of read(query.tenantId, toFilter(query, { since, until }))) {
      const next = responses[0]?.createdAt;
      // Split only between responses with different times.
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
    for await (const responses of read(query.tenantId, toFilter(query, part))) counter.add(responses);
    return counter.end();
  }

  /**
   * Counts a slice, or only its part in the range. If it has no counts, it is split first: at the beginning of the
   * range's first day, and at the end of its last day. A slice with counts is not split, so the recursion ends.
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
        // Count the whole slice, not only its part in the range: the next range probably has a limit on the same day.
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
    /**
     * Compares counts with the responses. Removes the counts of slices in the range whose responses have changed.
     * Slices that are not completely in the range are not compared: they keep their counts.
     */
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
     * Counts the responses of a query slice by slice, oldest first. Uses the counts that `confirm` has left, and counts
     * nothing outside of the range. Splits slices that have become large. The results contain all slices, so that
     * another range can reuse them.
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

/** Returns the time ranges of the slices that are not confirmed, in order. Merges neighbours. */
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
  store: Pick<ResponseStreamStore, 'findState'>,
  tenantId: TenantId,
  filter: ResponseFilter,
  { state }: CountsWithState,
): Promise<boolean> {
  // Counting stops at one response more than before, because that already shows a change.
  const { count, changedMs } = await store.findState(tenantId, filter, state.count + 1);
  return count === state.count && changedMs === state.changedMs;
}

function toFilter({ surveyId, filter }: SliceQuery, { since, until }: TimeRange): ResponseFilter {
  return { ...filter, surveyId, since, until };
}

/**
 * Whether the write window proves that the responses of a slice are those that were counted: no other window has opened
 * since. After a day, this is not trusted, because a late write can miss its window (`TRUSTED_MS`).
 *
 * Never true for the last slice, which has no end. Counting omits responses whose time is more than a minute ahead
 * (`createResponseStream`), and they appear later without another window.
 */
function isTrusted(slice: CountedSlice, window: number | undefined, time: Date): boolean {
  const { confirmation } = slice.counted;
  const isRecent = time.getTime() - confirmation.at.getTime() < TRUSTED_MS;
  return isConfirmedAfterEnd(slice) && window !== undefined && confirmation.window === window && isRecent;
}

/** Whether the counts were confirmed after the end of their slice: later responses normally belong to later slices. */
export function isConfirmedAfterEnd(slice: CountedSlice): slice is CountedSlice & { readonly until: Date } {
  return slice.until !== undefined && slice.until <= slice.counted.confirmation.at;
}

/** Whether all responses were counted. Counting omits those of a version that was published while it ran. */
export function isComplete({ state, counts }: CountsWithState): boolean {
  return state.count === counts.versions.values().reduce((sum, { all }) => sum + all, 0);
}

function withoutCounts({ since, until }: TimeSlice): TimeSlice {
  return { since, until };
}

export function isCounted(slice: TimeSlice): slice is CountedSlice {
  return slice.counted !== undefined;
}

/** Counts one slice. */
function createTallyCounter(tally: SurveyTally, confirmation: Confirmation) {
  let count = 0;
  let changedMs = 0n;
  let last: Date | undefined;
  return {
    count: () => count,
    isBefore: (time: Date) => last !== undefined && last < time,
    add(responses: readonly ResponseAnswers[]): void {
      for (const response of responses) tally.add(response);
      count += responses.length;
      // The sum of a batch is exact: it has at most a hundred responses.
      changedMs += BigInt(responses.reduce((sum, { updatedAt }) => sum + updatedAt.getTime(), 0));
      last = responses.at(-1)?.createdAt ?? last;
    },
    end: (): SliceCounts => ({ state: { count, changedMs }, counts: tally.counts(), confirmation }),
  };
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether the ranges have times in common. */
function overlap(one: TimeRange, other: TimeRange): boolean {
  return isOrdered(one.since, other.until) && isOrdered(other.since, one.until);
}

/** Whether a range with these limits contains times. */
function isOrdered(since: Date | undefined, until: Date | undefined): boolean {
  return since === undefined || until === undefined || since < until;
}

/** Whether the first range includes the other. */
function contains(range: TimeRange, { since, until }: TimeRange): boolean {
  // Both functions return the first one of equal dates, so it is enough to compare the objects.
  return latest(since, range.since) === since && earliest(until, range.until) === until;
}

/** The later of two starts; the first one if they are equal. */
function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one >= other) ? one : other;
}

/** The earlier of two ends; the first one if they are equal. */
function earliest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one <= other) ? one : other;
}

/**
 * Returns the time at which to split a slice that is only partly in the range: the beginning of the range's first day,
 * or the end of its last day. Returns undefined if neither is within the slice.
 */
function splittingDay(slice: TimeRange, range: TimeRange): Date | undefined {
  const isWithin = (day: Date) =>
    (slice.since === undefined || slice.since < day) && (slice.until === undefined || day < slice.until);
  const firstDayStart = range.since && new Date(Math.floor(range.since.getTime() / DAY_MS) * DAY_MS);
  const lastDayEnd = range.until && new Date(Math.ceil(range.until.getTime() / DAY_MS) * DAY_MS);
  return [firstDayStart, lastDayEnd].find((day) => day !== undefined && isWithin(day));
}
