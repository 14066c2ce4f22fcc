import { dateCell } from '../../columns/text-cell.ts';
import { dateRule } from '../counting-rule.ts';
import { momentType } from './moment.ts';

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** Every month has at least this many days, so days up to this one need no further check. */
const FEWEST_DAYS = '28';

/** `YYYY-MM-DD`: an existing day of the Gregorian calendar (RFC 3339 full-date). */
export const date = momentType({
  expected: 'a date as YYYY-MM-DD',
  jsonSchema: { type: 'string', format: 'date', pattern: DATE.source },
  cells: dateCell,
  countingRule: dateRule,
  toMoment: readDay,
});

/** Returns the text if it is an existing day as `YYYY-MM-DD`. */
export function readDay(text: string): string | undefined {
  if (!DATE.test(text)) return undefined;
  const day = text.slice(8);
  return day <= FEWEST_DAYS || Number(day) <= daysIn(Number(text.slice(5, 7)), Number(text.slice(0, 4)))
    ? text
    : undefined;
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
