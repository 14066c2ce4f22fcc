import type { Logger } from 'pino';
import type { FoundValues } from '../crosstabs/grouping.ts';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import { type Confirmation, MAX_SLICE_BYTES, type SliceStore } from '../responses/slice-store.ts';
import type { SurveyRef } from '../responses/write-window-store.ts';
import { COUNTS_FORMAT, decodeCounts, encodeCounts } from './counts-codec.ts';
import type { SurveyCounts } from './survey-tally.ts';
import {
  type CountedSlice,
  isComplete,
  isConfirmedAfterEnd,
  isCounted,
  isUnchanged,
  type TimeSlice,
} from './time-slices.ts';

/** The slices of a survey (time ranges with counts), in order and without gaps. */
export interface Slices {
  /** Identifies the format and the versions of the counts. Counts with different bases cannot be merged. */
  readonly basis: string;
  readonly slices: readonly TimeSlice[];
  /** The values with which the groups of all slices were counted. Stored slices have no groups. */
  readonly found?: FoundValues;
}

/** Stores the slices of one summary while later slices are counted. */
interface SliceSaver {
  /** Waits until the previous slice is stored, then starts to store a slice. Logs failures. */
  add(slice: TimeSlice): Promise<void>;
  /** Waits until the last slice is stored. Then updates the confirmations of slices that were stored before. */
  end(): Promise<void>;
}

interface Dependencies {
  readonly slices: Pick<SliceStore, 'find' | 'save' | 'confirm' | 'remove'>;
  readonly store: Pick<ResponseStreamStore, 'findFingerprint'>;
  readonly log: Logger;
}

/** A slice that can be stored: its time range is over, and all its responses are counted. */
type FullSlice = CountedSlice & { readonly until: Date };

const FORMAT = { number: COUNTS_FORMAT, decode: decodeCounts } as const;
/** Slices with fewer responses are not stored. */
const MIN_RESPONSES = 100;
/** Interval for confirming a stored slice that is in use, so that it does not expire. */
const CONFIRM_MS = 24 * 60 * 60_000;

export type StoredCounts = ReturnType<typeof createStoredCounts>;

/**
 * Stores the counts of full slices in the database, for other replicas and for this process after a restart. A
 * confirmation records that a summary has compared the counts with the responses. Unconfirmed slices expire.
 */
export function createStoredCounts({ slices, store, log }: Dependencies, minResponses = MIN_RESPONSES) {
  const storedConfirmations = new WeakMap<SurveyCounts, Confirmation>();

  async function save(survey: SurveyRef, basis: string, slice: FullSlice): Promise<void> {
    const { since, until, counted } = slice;
    const counts = encodeCounts(counted);
    if (counts.length > MAX_SLICE_BYTES) return;
    const { confirmation } = counted;
    const contentId = contentIdOf(basis, slice);
    await slices.save(survey, { since, until, basis, contentId, confirmation, counts });
    // A change between count and write could not remove this slice. So compare the counts with the responses again.
    const { tenantId, surveyId } = survey;
    const isSame = await isUnchanged(store, tenantId, { surveyId, since, until }, counted);
    if (isSame) storedConfirmations.set(counted.counts, confirmation);
    else await slices.remove(survey, contentId);
  }

  /** Confirms stored slices. If another process has replaced or removed a slice, the next summary stores it again. */
  async function confirm(survey: SurveyRef, basis: string, toConfirm: readonly FullSlice[]): Promise<void> {
    const [earliest] = toConfirm.map(({ counted }) => counted.confirmation).sort((one, other) => +one.at - +other.at);
    if (earliest === undefined) return;
    const byId = new Map(toConfirm.map((slice) => [contentIdOf(basis, slice), slice.counted.counts]));
    const confirmed = await slices.confirm(survey, [...byId.keys()], earliest);
    for (const [contentId, counts] of byId) {
      if (confirmed.has(contentId)) storedConfirmations.set(counts, earliest);
      else storedConfirmations.delete(counts);
    }
  }

  async function logFailure(survey: SurveyRef, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log.warn({ err: error, tenant_id: survey.tenantId, survey_id: survey.surveyId }, 'cannot store counts');
    }
  }

  return {
    /** @param maxSize maximum size of the counts, in map entries */
    async find(survey: SurveyRef, maxSize: number): Promise<Slices | undefined> {
      const full: FullSlice[] = [];
      let basis: string | undefined;
      let size = 0;
      for await (const found of slices.find(survey, FORMAT)) {
        const { since, until, confirmation, counts: decoded } = found;
        basis = found.basis;
        size += decoded.counts.size;
        if (size > maxSize) break;
        storedConfirmations.set(decoded.counts, confirmation);
        full.push({ since, until, counted: { ...decoded, confirmation } });
      }
      return basis === undefined ? undefined : { basis, slices: withGaps(withoutOverlaps(full)) };
    },

    createSaver(survey: SurveyRef, basis: string): SliceSaver {
      let saving = Promise.resolve();
      const toConfirm: FullSlice[] = [];
      return {
        async add(slice) {
          if (!isFull(slice) || slice.counted.state.count < minResponses) return;
          const stored = storedConfirmations.get(slice.counted.counts);
          if (stored === undefined) {
            await saving;
            saving = logFailure(survey, save(survey, basis, slice));
          } else if (mustConfirm(stored, slice.counted.confirmation)) toConfirm.push(slice);
        },

        async end() {
          await saving;
          await logFailure(survey, confirm(survey, basis, toConfirm));
        },
      };
    },
  };
}

export function toBasis(versions: Iterable<number>): string {
  return `${COUNTS_FORMAT}:${[...versions].join()}`;
}

function contentIdOf(basis: string, { since, until, counted }: FullSlice): string {
  const { count, changedMs } = counted.state;
  return [basis, since?.getTime() ?? '', until.getTime(), count, changedMs].join(':');
}

function isFull(slice: TimeSlice): slice is FullSlice {
  return isCounted(slice) && isConfirmedAfterEnd(slice) && isComplete(slice.counted);
}

function mustConfirm(stored: Confirmation, current: Confirmation): boolean {
  const isNewWindow = current.window !== undefined && current.window !== stored.window;
  return isNewWindow || current.at.getTime() - stored.at.getTime() > CONFIRM_MS;
}

/** Keeps the earliest of overlapping slices. Replicas may have divided the time differently. */
function withoutOverlaps(full: readonly FullSlice[]): readonly FullSlice[] {
  const kept: FullSlice[] = [];
  for (const slice of full.toSorted((one, other) => startOf(one) - startOf(other))) {
    const end = kept.at(-1)?.until;
    if (end === undefined || startOf(slice) >= end.getTime()) kept.push(slice);
  }
  return kept;
}

function startOf({ since }: TimeSlice): number {
  return since?.getTime() ?? Number.NEGATIVE_INFINITY;
}

/** Adds slices without counts, so that the slices cover all times. */
function withGaps(full: readonly FullSlice[]): readonly TimeSlice[] {
  let end: Date | undefined;
  const slices: TimeSlice[] = [];
  for (const slice of full) {
    if (slice.since !== undefined && slice.since.getTime() !== end?.getTime())
      slices.push({ since: end, until: slice.since });
    slices.push(slice);
    end = slice.until;
  }
  return [...slices, { since: end }];
}
