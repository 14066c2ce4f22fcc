import { fromSerial } from './serial-dates.ts';

/** Orders of day and month that a date can have. */
export type DayOrder = 'dmy' | 'mdy';

/** An order of day, month and year that an option names. Years can have two digits only if an option says so. */
export interface DateOrder {
  readonly order: DayOrder | 'ymd';
  readonly hasShortYear: boolean;
}

/** The readings of a date or time, in ISO 8601. They are often the same. */
export type DateReadings = Readonly<Record<DayOrder, string | undefined>>;

type DateKind = 'date' | 'timestamp';

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})$/;
const SHORT_YEAR_FIRST = /^(\d{2})([-/.])(\d{1,2})\2(\d{1,2})$/;
const NAMED_DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?[-\s]+(?:de\s+)?(\p{L}+)\.?,?[-\s]+(?:de\s+)?(\d{4})$/iu;
const NAMED_MONTH_FIRST = /^(\p{L}+)\.?[-\s]+(\d{1,2})(?:st|nd|rd|th)?,?[-\s]+(\d{4})$/iu;
/** Serial numbers from 1927 to 2119. */
const SERIAL = /^[1-7]\d{4}(?:\.\d+)?$/;
const FRACTION = /[.,]\d+/;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0+)?)?(?:\s*([ap])\.?\s?m\.?)?$/i;
const WITH_TIME =
  /^(.+?)(?:T|,?\s+)(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?\s?m\.?)?)\s*(Z|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2})?$/i;
/** Longer texts are no dates or times. The patterns above take quadratic time. */
const MAX_LENGTH = 100;
/** In POSIX, years with two digits begin in 1969. */
const PIVOT = 69;

/** Names of months in English and the locale, in lower case. */
export type MonthNames = ReadonlyMap<string, number>;

/**
 * Reads a date in every possible way; undefined if the text is no date. For the kind `date`, a time of midnight is
 * removed. Dates with dots have the day first unless `given` says otherwise, because no locale writes the month first
 * with dots.
 */
export function readDate(
  text: string,
  kind: DateKind,
  { months, given }: { readonly months: MonthNames; readonly given: DateOrder | undefined },
): DateReadings | undefined {
  const cell = text.trim();
  if (cell.length > MAX_LENGTH) return undefined;
  if (SERIAL.test(cell)) return readSerial(Number(cell), kind);
  const [, day = cell, clock, zone = ''] = WITH_TIME.exec(cell) ?? [];
  const [, fraction = ''] = /[.,](\d{1,9})\d*/.exec(clock ?? '') ?? [];
  const time = clock === undefined ? undefined : readTime(clock.replace(FRACTION, ''));
  if (clock !== undefined && time === undefined) return undefined;
  const dates = readDay(day.trim(), months, given);
  if (dates === undefined || time === undefined) return dates;
  const isMidnight = /^00:00(:00)?$/.test(time) && !/[1-9]/.test(fraction);
  if (kind === 'date') return isMidnight ? dates : undefined;
  const seconds = time.length === 'HH:MM'.length ? `${time}:00` : time;
  const end = `T${seconds}${fraction === '' ? '' : `.${fraction}`}${toOffset(zone)}`;
  return { dmy: dates.dmy && dates.dmy + end, mdy: dates.mdy && dates.mdy + end };
}

/** Converts a time, even with AM or PM or as a serial number, to `HH:MM` or `HH:MM:SS`; undefined for other texts. */
export function readTime(text: string): string | undefined {
  const cell = text.trim();
  if (cell.length > MAX_LENGTH) return undefined;
  if (/^0?\.\d+$/.test(cell)) return fromSerial(Number(cell));
  const [, hours, minutes = '', seconds = '00', half] = TIME_OF_DAY.exec(cell) ?? [];
  if (hours === undefined) return undefined;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${pad(hour)}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
}

/** Reads an option such as `DD/MM/YYYY`; undefined if it names no order. Only the order of the letters and the number of Y count. */
export function readDateFormat(format: string): DateOrder | undefined {
  const letters = format.toLowerCase().replaceAll(/[^dmy]/g, '');
  const order = letters.replaceAll(/(.)\1*/g, '$1');
  if (order !== 'dmy' && order !== 'mdy' && order !== 'ymd') return undefined;
  return { order, hasShortYear: letters.replaceAll(/[^y]/g, '').length === 2 };
}

/** The order of a locale (BCP 47); undefined if the locale is unknown. */
export function dateOrderOf(locale: string): DateOrder | undefined {
  try {
    const parts = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn' }).formatToParts(0);
    return readDateFormat(parts.map(({ type }) => (/^(day|month|year)$/.test(type) ? type.slice(0, 1) : '')).join(''));
  } catch {
    return undefined;
  }
}

export function monthNames(locale: string | undefined): MonthNames {
  const names = new Map<string, number>();
  for (const one of ['en', ...(locale === undefined ? [] : [locale])]) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(one, { month, day: 'numeric', calendar: 'gregory', timeZone: 'UTC' });
      for (let index = 1; index <= 12; index += 1) {
        const parts = format.formatToParts(Date.UTC(2024, index - 1, 1));
        const name = parts.find(({ type }) => type === 'month')?.value ?? '';
        names.set(name.toLowerCase().replace(/\.$/, ''), index);
      }
    }
  }
  return names;
}

function readSerial(number: number, kind: DateKind): DateReadings | undefined {
  const date = fromSerial(number);
  if (date === undefined || (kind === 'date' && date.includes('T'))) return undefined;
  return { dmy: date, mdy: date };
}

function readDay(text: string, months: MonthNames, given: DateOrder | undefined): DateReadings | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return both(toDate(year, month, day));
  const compact = COMPACT.exec(text);
  if (compact !== null) return both(toDate(compact[1], compact[2], compact[3]));
  const short = given?.hasShortYear === true && given.order === 'ymd' ? SHORT_YEAR_FIRST.exec(text) : null;
  if (short !== null) return both(toDate(toYear(short[1]), short[3], short[4]));
  const [, first, mark, second, last = ''] = YEAR_LAST.exec(text) ?? [];
  if (first !== undefined) {
    if (last.length === 2 && given?.hasShortYear !== true) return undefined;
    const full = toYear(last);
    const dmy = toDate(full, second, first);
    const mdy = mark === '.' && given?.order !== 'mdy' ? dmy : toDate(full, first, second);
    return dmy === undefined && mdy === undefined ? undefined : { dmy, mdy };
  }
  const [, namedDay, dayMonth, dayYear] = NAMED_DAY_FIRST.exec(text) ?? [];
  const [, monthName, monthDay, monthYear] = NAMED_MONTH_FIRST.exec(text) ?? [];
  const name = (dayMonth ?? monthName)?.toLowerCase();
  const found = name === undefined ? undefined : months.get(name);
  return found === undefined ? undefined : both(toDate(dayYear ?? monthYear, String(found), namedDay ?? monthDay));
}

function both(date: string | undefined): DateReadings | undefined {
  return date === undefined ? undefined : { dmy: date, mdy: date };
}

/** Whether a text is a date whose year has two digits. */
export function hasShortYear(text: string): boolean {
  const cell = text.trim();
  if (cell.length > MAX_LENGTH) return false;
  const [, day = cell] = WITH_TIME.exec(cell) ?? [];
  return YEAR_LAST.exec(day.trim())?.[4]?.length === 2;
}

function toYear(text: string | undefined): string {
  if (text === undefined || text.length !== 2) return text ?? '';
  return `${Number(text) < PIVOT ? '20' : '19'}${text}`;
}

/** `YYYY-MM-DD`, or undefined if the day does not exist. */
function toDate(year = '', month = '', day = ''): string | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(0);
  date.setUTCFullYear(y, m - 1, d);
  const exists = y > 0 && date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
  return exists ? `${year}-${pad(m)}-${pad(d)}` : undefined;
}

function toOffset(zone: string): string {
  if (/^(Z|UTC|GMT)$/i.test(zone)) return 'Z';
  const [, sign, hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? '' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
