import type { PeriodCount } from '@survey/client';
import type { BarAnswers, Calendar, Columns } from './chart.ts';

const DAY_MS = 86_400_000;
/** Longest time that a calendar shows: 53 weeks. */
const MAX_CALENDAR_DAYS = 371;
const MAX_COLUMNS = 60;

/**
 * Chooses the drawing of dates or times of day. Times get a column for each hour. Days within about a year get a
 * calendar. Other dates get columns of months, years, decades, centuries or millennia: the shortest that fit.
 */
export function toPeriodsDrawing(periods: readonly PeriodCount[]): Calendar | Columns {
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) return { kind: 'columns', columns: [] };
  if (first.period.includes(':')) return { kind: 'columns', columns: toHours(periods) };
  const isDays = periods.every(({ period }) => period.length === 10);
  if (isDays && Date.parse(last.period) - Date.parse(first.period) < MAX_CALENDAR_DAYS * DAY_MS)
    return {
      kind: 'calendar',
      days: periods.map(({ period, count }) => ({ day: period, count, answers: { is: period } })),
    };
  const hasMonths = periods.every(({ period }) => period.length >= 7);
  if (hasMonths && monthOf(last.period) - monthOf(first.period) < MAX_COLUMNS)
    return {
      kind: 'columns',
      columns: sumByKey(periods, monthOf, 1, monthLabel, (month) => `${monthLabel(month)}-01`),
    };
  const years = yearOf(last.period) - yearOf(first.period);
  const yearsPerColumn = [1, 10, 100, 1000].find((length) => years / length < MAX_COLUMNS) ?? 1000;
  return {
    kind: 'columns',
    columns: sumByKey(
      periods,
      (period) => Math.floor(yearOf(period) / yearsPerColumn),
      yearsPerColumn,
      (value) => String(value * yearsPerColumn),
      (value) => `${String(value * yearsPerColumn).padStart(4, '0')}-01-01`,
    ),
  };
}

/** All hours of a day, including those without answers. */
function toHours(periods: readonly PeriodCount[]): Columns['columns'] {
  const counts = new Map(periods.map(({ period, count }) => [period, count]));
  return Array.from({ length: 24 }, (_, hour) => {
    const label = hourLabel(hour);
    const answers: BarAnswers = { from: label, ...(hour === 23 ? {} : { before: hourLabel(hour + 1) }) };
    return { label, count: counts.get(label) ?? 0, answers };
  });
}

function hourLabel(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/**
 * Adds up the periods with the same key, and fills gaps with zeros. Labels end with `s` if `size` is above 1.
 *
 * @param toStart returns the first date with a key
 */
function sumByKey(
  periods: readonly PeriodCount[],
  keyOf: (period: string) => number,
  size: number,
  toLabel: (key: number) => string,
  toStart: (key: number) => string,
): Columns['columns'] {
  const counts = new Map<number, number>();
  for (const { period, count } of periods) {
    const key = keyOf(period);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const keys = [...counts.keys()];
  const first = Math.min(...keys);
  return Array.from({ length: Math.max(...keys) - first + 1 }, (_, index) => {
    const key = first + index;
    const label = toLabel(key);
    const answers = { from: toStart(key), before: toStart(key + 1) };
    return { label: size > 1 ? `${label}s` : label, count: counts.get(key) ?? 0, answers };
  });
}

function yearOf(period: string): number {
  return Number(period.slice(0, 4));
}

function monthOf(period: string): number {
  return yearOf(period) * 12 + Number(period.slice(5, 7)) - 1;
}

function monthLabel(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
