import { AppError } from '@survey/runtime/errors/app-error';
import { findOffsets, type OffsetAt } from '@survey/runtime/rest/timestamp';
import type { ResponseAnswers } from '../responses/response.ts';
import { createIntCounts, type IntCounts, lowerMedian, type PackedCounts, toPacked } from './int-counts.ts';
import type { TimeBucket } from './summary.ts';

export const intervals = ['hour', 'day', 'week'] as const;
export type Interval = (typeof intervals)[number];

/** `durations` counts times from start to completion, in steps (see `toStep`). The other kinds count quarter hours. */
export type TimeKind = (typeof timeKinds)[number];

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_BUCKETS = 5_000;
/** Longer durations count as this one, because the respondent probably left the survey open. */
const MAX_SECONDS = 30 * 24 * 60 * 60;
/** Shorter durations are counted to the second. */
const EXACT_SECONDS = 100;
/** Ratio of consecutive steps of longer durations. */
const STEP_RATIO = 1.01;

type Counted = Readonly<Record<TimeKind, IntCounts>>;

export const timeKinds = ['started', 'completed', 'disqualified', 'durations'] as const;

interface Options {
  /** Initial counts. */
  readonly given?: Readonly<Record<TimeKind, PackedCounts>> | undefined;
  readonly surveyCreatedAt?: Date | undefined;
}

export type SurveyTimes = ReturnType<typeof createSurveyTimes>;

/** Counts the starts and ends of responses by quarter of an hour, which serves all current time zones. */
export function createSurveyTimes({ given, surveyCreatedAt }: Options = {}) {
  const counted: Counted = {
    started: createIntCounts(given?.started),
    completed: createIntCounts(given?.completed),
    disqualified: createIntCounts(given?.disqualified),
    durations: createIntCounts(given?.durations),
  };
  const all = Object.values(counted);

  /**
   * Returns the reported start of a response, unless it is impossible. A respondent cannot begin before the survey was
   * created, so the clock of the device was wrong. An imported response can begin earlier. A response may be imported
   * if it ended before it was stored, or if it has no end.
   */
  function plausibleStart({ startedAt, completedAt, createdAt }: ResponseAnswers): Date | undefined {
    if (startedAt === undefined || surveyCreatedAt === undefined || startedAt >= surveyCreatedAt) return startedAt;
    return completedAt === undefined || completedAt < createdAt ? startedAt : undefined;
  }

  return {
    counted,

    add(response: ResponseAnswers): void {
      const { status, createdAt, completedAt } = response;
      const startedAt = plausibleStart(response);
      // Without a start, use the end or the time of storage, whichever is earlier.
      const assumedStart =
        startedAt ?? (completedAt !== undefined && completedAt < createdAt ? completedAt : createdAt);
      counted.started.add(toQuarter(assumedStart));
      if (completedAt === undefined || (status !== 'completed' && status !== 'disqualified')) return;
      counted[status].add(toQuarter(completedAt));
      // If the start equals the end, the duration is unknown. An import can copy the end to the start, and `toResponse`
      // replaces a start in the future with the time of the submit.
      if (status === 'disqualified' || startedAt === undefined || startedAt >= completedAt) return;
      counted.durations.add(toStep((completedAt.getTime() - startedAt.getTime()) / 1_000));
    },

    merge(other: { readonly counted: Counted }): void {
      for (const kind of timeKinds) counted[kind].merge(other.counted[kind]);
    },

    /** Saves memory. Call it after the last addition. */
    pack(): void {
      for (const counts of all) counts.pack();
    },

    /** Memory, in map entries. */
    size: (): number => all.reduce((sum, { memoryEntries }) => sum + memoryEntries, 0),

    packed: (): Readonly<Record<TimeKind, PackedCounts>> => ({
      started: toPacked(counted.started),
      completed: toPacked(counted.completed),
      disqualified: toPacked(counted.disqualified),
      durations: toPacked(counted.durations),
    }),

    /** Completed responses by day, in order. Omits days without responses. */
    byDay(offsetAt: OffsetAt): readonly { readonly day: string; readonly count: number }[] {
      const days = new Map<number, number>();
      for (const [quarter, count] of counted.completed.entries()) {
        const day = startOf('day', quarter * QUARTER_MS, offsetAt);
        days.set(day, (days.get(day) ?? 0) + count);
      }
      return [...days].sort(([one], [other]) => one - other).map(([day, count]) => ({ day: toDay(day), count }));
    },

    /** Intervals with at least one response, in order. Throws `INVALID_REQUEST` if there are too many. */
    timeline(interval: Interval, offsetAt: OffsetAt): readonly TimeBucket[] {
      const buckets = new Map<string, { at: number; started: number; completed: number; disqualified: number }>();
      for (const kind of ['started', 'completed', 'disqualified'] as const) {
        for (const [quarter, count] of counted[kind].entries()) {
          const time = quarter * QUARTER_MS;
          const local = startOf(interval, time, offsetAt);
          // When clocks go back, an hour is repeated with another offset.
          const start = interval === 'hour' ? toHour(local, offsetAt(time)) : toDay(local);
          const bucket = buckets.get(start) ?? { at: time, started: 0, completed: 0, disqualified: 0 };
          buckets.set(start, bucket);
          bucket.at = Math.min(bucket.at, time);
          bucket[kind] += count;
          if (buckets.size > MAX_BUCKETS) throw new AppError('INVALID_REQUEST', { errors: [TOO_MANY_BUCKETS] });
        }
      }
      return [...buckets]
        .sort(([, one], [, other]) => one.at - other.at)
        .map(([start, { at: _, ...counts }]) => ({ start, ...counts }));
    },

    /** Median time from start to completion. Undefined if no start is known. */
    medianSeconds(): number | undefined {
      const step = lowerMedian(counted.durations);
      return step === undefined ? undefined : toSeconds(step);
    },
  };
}

const TOO_MANY_BUCKETS = {
  path: '/interval',
  code: 'TOO_MANY_BUCKETS',
  detail: `the responses are of more than ${MAX_BUCKETS} intervals: use a longer interval, or limit the time`,
};

const UNKNOWN_ZONE = {
  path: '/tz',
  code: 'UNKNOWN_TIME_ZONE',
  detail: 'must be the name of an IANA time zone, such as Europe/Berlin',
};

/** Throws `INVALID_REQUEST` if the name of the time zone is unknown. */
export function offsetsOf(timeZone: string): OffsetAt {
  const offsetAt = findOffsets(timeZone);
  if (offsetAt === undefined) throw new AppError('INVALID_REQUEST', { errors: [UNKNOWN_ZONE] });
  return offsetAt;
}

function toQuarter(time: Date): number {
  return Math.floor(time.getTime() / QUARTER_MS);
}

/** Returns the local start of the interval that contains a time. Weeks begin on Monday. */
function startOf(interval: Interval, timeMs: number, offsetAt: OffsetAt): number {
  const local = timeMs + offsetAt(timeMs);
  if (interval === 'hour') return Math.floor(local / HOUR_MS) * HOUR_MS;
  const day = Math.floor(local / DAY_MS);
  // 1970-01-01 was a Thursday.
  const weekday = (((day + 3) % 7) + 7) % 7;
  return (interval === 'day' ? day : day - weekday) * DAY_MS;
}

/** Returns YYYY-MM-DD. */
function toDay(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, -'THH:MM:SS.sssZ'.length);
}

/** Returns a text such as `2024-05-01T14:00+02:00`. */
function toHour(localMs: number, offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const digits = [Math.floor(minutes / 60), Math.floor(minutes % 60)].map((part) => String(part).padStart(2, '0'));
  const time = new Date(localMs).toISOString().slice(0, -':SS.sssZ'.length);
  return `${time}${offsetMs < 0 ? '-' : '+'}${digits.join(':')}`;
}

/** Rounds a duration to a step. Steps are whole seconds up to `EXACT_SECONDS`, and then 1 % each. */
function toStep(seconds: number): number {
  if (seconds < EXACT_SECONDS) return Math.round(seconds);
  const ratio = Math.min(seconds, MAX_SECONDS) / EXACT_SECONDS;
  return EXACT_SECONDS + Math.round(Math.log(ratio) / Math.log(STEP_RATIO));
}

function toSeconds(step: number): number {
  return step < EXACT_SECONDS ? step : Math.round(EXACT_SECONDS * STEP_RATIO ** (step - EXACT_SECONDS));
}
