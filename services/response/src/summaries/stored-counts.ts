import type { Logger } from 'pino';
import type { ResponseStreamStore } from '../responses/response-stream-store.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';
import { type Confirmation, type FoundSlice, MAX_SLICE_BYTES, type SliceStore } from '../slices/slice-store.ts';
import { COUNTS_FORMAT, type CountsOfState, decodeCounts, encodeCounts } from './counts-codec.ts';
import type { SurveyCounts } from './survey-tally.ts';
import { type CountedSlice, isComplete, isCounted, isOver, isUnchanged, type TimeSlice } from './time-slices.ts';

/** The slices of a survey, in order and without gaps. */
export interface Slices {
  /** Identifies the format and the versions of the counts. Counts of another basis cannot be merged. */
  readonly basis: string;
  readonly slices: readonly TimeSlice[];
}

/** Stores the slices of one summary while the next ones are counted. */
interface SliceSaver {
  /** Starts to store a slice, after the one before is stored. Failures are logged. */
  add(slice: TimeSlice): Promise<void>;
  /** Waits for the last slice, and confirms those that were stored before. */
  end(): Promise<void>;
}

interface Dependencies {
  readonly slices: Pick<SliceStore, 'find' | 'save' | 'confirm' | 'remove'>;
  readonly store: Pick<ResponseStreamStore, 'findState'>;
  readonly windows: Pick<WriteWindows, 'lastWindowOf'>;
  readonly log: Logger;
}

interface StoredAs {
  readonly contentId: string;
  readonly confirmation: Confirmation;
}

type FullSlice = CountedSlice & { readonly until: Date };

/** Smaller slices are counted again. */
const MIN_RESPONSES = 100;
/** A stored slice in use is confirmed this often, so that it does not expire. */
const CONFIRM_MS = 24 * 60 * 60_000;

export type StoredCounts = ReturnType<typeof createStoredCounts>;

/** Keeps the counts of full slices in the database, for other replicas and after a restart. */
export function createStoredCounts({ slices, store, windows, log }: Dependencies, minResponses = MIN_RESPONSES) {
  const storedAs = new WeakMap<SurveyCounts, StoredAs>();

  function read(found: FoundSlice): FullSlice | undefined {
    const { since, until, confirmation, contentId } = found;
    let decoded: CountsOfState;
    try {
      decoded = decodeCounts(found.counts);
    } catch {
      return undefined;
    }
    storedAs.set(decoded.counts, { contentId, confirmation });
    return { since, until, counted: { ...decoded, confirmation } };
  }

  async function save(survey: SurveyRef, basis: string, { since, until, counted }: FullSlice): Promise<void> {
    const counts = encodeCounts(counted);
    if (counts.length > MAX_SLICE_BYTES) return;
    const { confirmation } = counted;
    const contentId = await slices.save(survey, { since, until, basis, confirmation, counts });
    // A deletion between the reading and the storing did not find the slice, so its answers would remain.
    const { window } = confirmation;
    const isSame =
      (window !== undefined && window === (await windows.lastWindowOf(survey))) ||
      (await isUnchanged(store, survey.tenantId, { surveyId: survey.surveyId, since, until }, counted));
    if (isSame) storedAs.set(counted.counts, { contentId, confirmation });
    else await slices.remove(survey, contentId);
  }

  async function orLog(survey: SurveyRef, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log.warn({ err: error, tenant_id: survey.tenantId, survey_id: survey.surveyId }, 'cannot store counts');
    }
  }

  return {
    /** Finds the stored slices of a survey, up to a size in map entries. */
    async find(survey: SurveyRef, maxSize: number): Promise<Slices | undefined> {
      const found = await slices.find(survey);
      const newest = found.reduce<FoundSlice | undefined>(
        (last, one) => (last === undefined || one.confirmation.at > last.confirmation.at ? one : last),
        undefined,
      );
      if (newest === undefined) return undefined;
      const { basis } = newest;
      const full: FullSlice[] = [];
      let size = 0;
      for (const slice of withoutOverlaps(found.filter((one) => one.basis === basis))) {
        const counted = read(slice);
        size += counted?.counted.counts.size ?? 0;
        if (size > maxSize) break;
        if (counted !== undefined) full.push(counted);
      }
      return { basis, slices: withGaps(full) };
    },

    createSaver(survey: SurveyRef, basis: string): SliceSaver {
      let saving = Promise.resolve();
      const old: { readonly contentId: string; readonly counted: CountedSlice['counted'] }[] = [];
      return {
        async add(slice) {
          if (!isFull(slice) || slice.counted.state.count < minResponses) return;
          const known = storedAs.get(slice.counted.counts);
          if (known === undefined) {
            await saving;
            saving = orLog(survey, save(survey, basis, slice));
          } else if (mustConfirm(known.confirmation, slice.counted.confirmation))
            old.push({ contentId: known.contentId, counted: slice.counted });
        },

        async end() {
          await saving;
          const [first] = old.map(({ counted }) => counted.confirmation).sort((one, other) => +one.at - +other.at);
          if (first === undefined) return;
          const ids = old.map(({ contentId }) => contentId);
          await orLog(survey, slices.confirm(survey, ids, first));
          for (const { contentId, counted } of old) storedAs.set(counted.counts, { contentId, confirmation: first });
        },
      };
    },
  };
}

export function toBasis(versions: Iterable<number>): string {
  return `${COUNTS_FORMAT}:${[...versions].join()}`;
}

function isFull(slice: TimeSlice): slice is FullSlice {
  return isCounted(slice) && isOver(slice) && isComplete(slice.counted);
}

function mustConfirm(stored: Confirmation, current: Confirmation): boolean {
  const isNewWindow = current.window !== undefined && current.window !== stored.window;
  return isNewWindow || current.at.getTime() - stored.at.getTime() > CONFIRM_MS;
}

/** Replicas may have divided the time differently. Keeps the slice that begins first. */
function withoutOverlaps(found: readonly FoundSlice[]): readonly FoundSlice[] {
  const kept: FoundSlice[] = [];
  for (const slice of found.toSorted((one, other) => startOf(one) - startOf(other))) {
    const end = kept.at(-1)?.until;
    if (end === undefined || startOf(slice) >= end.getTime()) kept.push(slice);
  }
  return kept;
}

function startOf({ since }: Pick<FoundSlice, 'since'>): number {
  return since?.getTime() ?? Number.NEGATIVE_INFINITY;
}

/** Adds slices without counts between and after others. */
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
