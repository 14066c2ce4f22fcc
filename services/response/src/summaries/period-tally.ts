import { createIntCounts, type IntCounts } from './int-counts.ts';
import type { PeriodSummary } from './summary.ts';

/** Counts answers that are dates or times of day. */
export interface PeriodTally {
  readonly counts: IntCounts;
  add(answer: string): void;
  merge(other: Pick<PeriodTally, 'counts'>): void;
  summary(): readonly PeriodSummary[];
}

const DAY_MS = 24 * 60 * 60_000;
/** Above this number of days, dates are summarized by month; above this number of months, by year. */
const MAX_PERIODS = 1_000;
const [DAY, MONTH, YEAR] = ['YYYY-MM-DD'.length, 'YYYY-MM'.length, 'YYYY'.length] as const;

/** Counts dates by day; by month if there are more than 1,000 days; by year if there are more than 1,000 months. */
export function createDateTally(): PeriodTally {
  const counts = createIntCounts();

  function countBy(length: number): ReadonlyMap<string, number> {
    const periods = new Map<string, number>();
    for (const [day, count] of counts.entries()) {
      const period = new Date(day * DAY_MS).toISOString().slice(0, length);
      periods.set(period, (periods.get(period) ?? 0) + count);
    }
    return periods;
  }

  return {
    counts,
    add: (date) => counts.add(Date.parse(date) / DAY_MS),
    merge: (other) => counts.merge(other.counts),
    summary() {
      const months = counts.distinct <= MAX_PERIODS ? undefined : countBy(MONTH);
      const periods = months === undefined ? countBy(DAY) : months.size <= MAX_PERIODS ? months : countBy(YEAR);
      return [...periods]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([period, count]) => ({ period, count }));
    },
  };
}

/** Counts times of day by hour. */
export function createHourTally(): PeriodTally {
  const counts = createIntCounts();
  return {
    counts,
    add: (time) => counts.add(Number(time.slice(0, 'HH'.length))),
    merge: (other) => counts.merge(other.counts),
    summary: () =>
      [...counts.entries()]
        .sort(([one], [other]) => one - other)
        .map(([hour, count]) => ({ period: `${String(hour).padStart(2, '0')}:00`, count })),
  };
}
