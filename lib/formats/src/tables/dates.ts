import { isLocale } from './table-options.ts';

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
const NAMED_DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?[- ](?:de )?(\p{L}+)\.?,?[- ](?:de )?(\d{4})$/iu;
const NAMED_MONTH_FIRST = /^(\p{L}+)\.?[- ](\d{1,2})(?:st|nd|rd|th)?,?[- ](\d{4})$/iu;
const WEEKDAY_FIRST = /^(\p{L}+)[.,]{0,2} (?=.)/u;
/** Serial numbers from 1927 to 2119. */
const SERIAL = /^[1-7]\d{4}(?:\.\d+)?$/;
const FRACTION = /[.,]\d+/;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0+)?)?(?: ?([ap])\.? ?m\.?)?$/i;
/** A zone can be followed by its name in brackets, as in JavaScript. */
const WITH_TIME =
  /^(.+?)(?:T|,? )(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.? ?m\.?)?) ?(?:\(?(Z|[a-z]{3,4}|(?:UTC|GMT)[+-]\d{1,2}(?::?\d{2})?|[+-]\d{2}:?\d{2})\)?(?: \([^()]*\))?)?$/i;
/** The year comes last, as in `Mon Mar 2 10:00:00 UTC 2026` of Unix and Java. */
const YEAR_AFTER_TIME = /^(.+) (\d{1,2}:\d{2}:\d{2}) ([a-z]{3,4}|[+-]\d{4}) (\d{4})$/i;
/** In POSIX, years with two digits begin in 1969. */
const PIVOT = 69;
/** Maximum characters of a date or time. Longer texts are no dates. */
const MAX_DATE = 100;
/** Hours from UTC by names of zones that mean only one: those of RFC 5322, and those of Europe. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...['Z', 'UTC', 'GMT', 'WET'].map((name) => [name, 0] as const),
  ...['CET', 'MEZ', 'WEST'].map((name) => [name, 1] as const),
  ...['CEST', 'MESZ', 'EET'].map((name) => [name, 2] as const),
  ['EEST', 3],
  ['EDT', -4],
  ...['EST', 'CDT'].map((name) => [name, -5] as const),
  ...['CST', 'MDT'].map((name) => [name, -6] as const),
  ...['MST', 'PDT'].map((name) => [name, -7] as const),
  ['PST', -8],
]);
/** Years that a date can have. Others are mostly typing errors, or of another calendar. */
const YEARS = [1900, 2200] as const;

/** Names of months and weekdays in English and the locale, in lower case. */
export interface DateNames {
  /** Numbers of months, from 1. */
  readonly months: ReadonlyMap<string, number>;
  readonly weekdays: ReadonlySet<string>;
}

/**
 * Reads a date in every possible way; undefined if the text is no date. For the kind `date`, a time of midnight is
 * removed. Dates with dots have the day first unless `given` says otherwise, because no locale writes the month first
 * with dots. A weekday before the date is not checked.
 */
export function readDate(
  text: string,
  kind: DateKind,
  { names, given }: { readonly names: DateNames; readonly given: DateOrder | undefined },
): DateReadings | undefined {
  const written = withSingleSpaces(text);
  if (written === undefined) return undefined;
  const cell = written.replace(YEAR_AFTER_TIME, '$1 $4 $2 $3');
  if (SERIAL.test(cell)) return readSerial(Number(cell), kind);
  const [, day = cell, clock, zone] = WITH_TIME.exec(cell) ?? [];
  const [, fraction = ''] = /[.,](\d{1,9})\d*/.exec(clock ?? '') ?? [];
  const time = clock === undefined ? undefined : readTime(clock.replace(FRACTION, ''));
  const offset = zone === undefined ? '' : toOffset(zone);
  if ((clock !== undefined && time === undefined) || offset === undefined) return undefined;
  const [, weekday = ''] = WEEKDAY_FIRST.exec(day) ?? [];
  const isWeekday = names.weekdays.has(weekday.toLowerCase());
  const dates = readDay(isWeekday ? day.replace(WEEKDAY_FIRST, '') : day, names.months, given);
  if (dates === undefined || time === undefined) return dates;
  const isMidnight = /^00:00(:00)?$/.test(time) && !/[1-9]/.test(fraction);
  if (kind === 'date') return isMidnight ? dates : undefined;
  const seconds = time.length === 'HH:MM'.length ? `${time}:00` : time;
  const end = `T${seconds}${fraction === '' ? '' : `.${fraction}`}${offset}`;
  return { dmy: dates.dmy && dates.dmy + end, mdy: dates.mdy && dates.mdy + end };
}

/**
 * Texts of which spreadsheets make this date, such as `1-5` for `5-Jan` or `2026-01-05`, and `2-50` for `Feb-50`. Empty
 * if the text is no date that spreadsheets display.
 */
export function textsBeforeDate(text: string): readonly string[] {
  const cell = withSingleSpaces(text) ?? '';
  const [, year = '', month, day = ''] = /^\d{2}(\d{2})-(\d{2})-(\d{2})$/.exec(cell) ?? [];
  const [, dayFirst, monthAfter] = /^(\d{1,2})[-. ]{1,2}(\p{L}+)\.?$/u.exec(cell) ?? [];
  const [, monthFirst, after] = /^(\p{L}+)\.?[- ](\d{2})$/u.exec(cell) ?? [];
  const named = ENGLISH.months.get((monthAfter ?? monthFirst ?? '').toLowerCase());
  const [one, others] =
    month === undefined ? [named, [dayFirst ?? after ?? '']] : [Number(month), day === '01' ? [day, year] : [day]];
  if (one === undefined) return [];
  const pairs = others.map(Number).flatMap((other) => [
    [`${one}`, `${other}`],
    [`${other}`, `${one}`],
    [pad(one), pad(other)],
    [pad(other), pad(one)],
  ]);
  return pairs.flatMap((pair) => ['-', '/', '.'].map((mark) => pair.join(mark)));
}

/** Whether the year of a date in ISO 8601 is one that dates of a survey have. */
export function hasUsualYear(date: string): boolean {
  const year = Number(date.slice(0, 4));
  return year >= YEARS[0] && year <= YEARS[1];
}

/** Undefined for a text that is too long for a date. */
function withSingleSpaces(text: string): string | undefined {
  const cell = text.trim();
  return cell.length > MAX_DATE ? undefined : cell.replaceAll(/\s+/g, ' ');
}

/** Converts a time, even with AM or PM or as a serial number, to `HH:MM` or `HH:MM:SS`; undefined for other texts. */
export function readTime(text: string): string | undefined {
  const cell = withSingleSpaces(text) ?? '';
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
  if (!isLocale(locale)) return undefined;
  const parts = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn' }).formatToParts(0);
  return readDateFormat(parts.map(({ type }) => (/^(day|month|year)$/.test(type) ? type.slice(0, 1) : '')).join(''));
}

/** An unknown locale adds no names. */
export function dateNames(locale: string | undefined): DateNames {
  const months = new Map<string, number>();
  const weekdays = new Set<string>();
  for (const one of ['en', ...(locale !== undefined && isLocale(locale) ? [locale] : [])]) {
    for (const style of ['long', 'short'] as const) {
      const options = { calendar: 'gregory', timeZone: 'UTC' } as const;
      const monthFormat = new Intl.DateTimeFormat(one, { ...options, month: style, day: 'numeric' });
      for (let index = 1; index <= 12; index += 1) {
        const parts = monthFormat.formatToParts(Date.UTC(2024, index - 1, 1));
        months.set(toName(parts.find(({ type }) => type === 'month')?.value), index);
      }
      const dayFormat = new Intl.DateTimeFormat(one, { ...options, weekday: style });
      for (let day = 1; day <= 7; day += 1) weekdays.add(toName(dayFormat.format(Date.UTC(2024, 0, day))));
    }
  }
  return { months, weekdays };
}

const ENGLISH = dateNames(undefined);

function toName(written = ''): string {
  return written.toLowerCase().replace(/\.$/, '');
}

function readSerial(number: number, kind: DateKind): DateReadings | undefined {
  const date = fromSerial(number);
  if (date === undefined || (kind === 'date' && date.includes('T'))) return undefined;
  return { dmy: date, mdy: date };
}

function readDay(text: string, months: DateNames['months'], given: DateOrder | undefined): DateReadings | undefined {
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
  const cell = withSingleSpaces(text) ?? '';
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

/** The offset of a zone from UTC; undefined if its name is unknown. */
function toOffset(zone: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign !== undefined) return `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const named = ZONES.get(zone.toUpperCase());
  if (named === undefined || named === 0) return named === undefined ? undefined : 'Z';
  return `${named < 0 ? '-' : '+'}${pad(Math.abs(named))}:00`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

const DAY_SECONDS = 86_400;
/** 31 December 9999, the last day of spreadsheets. */
const LAST_DAY = 2_958_465;
/** Number of 1 March 1900. Spreadsheets have a 29 February 1900 before it, which did not exist. */
const FIRST_OF_MARCH_1900 = 61;
const DAYS_FROM_1900_TO_1904 = 1462;

interface Options {
  /** Whether days count from 1904, as in old workbooks of the Mac. */
  readonly is1904?: boolean;
}

/**
 * The date and time of a serial number of spreadsheets: `HH:MM` or `HH:MM:SS` below 1, `YYYY-MM-DD` for a whole day,
 * else `YYYY-MM-DDTHH:MM:SS`. Undefined if no date has this number.
 */
export function fromSerial(serial: number, { is1904 = false }: Options = {}): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined;
  const total = Math.round(serial * DAY_SECONDS);
  const [day, seconds] = [Math.floor(total / DAY_SECONDS), total % DAY_SECONDS];
  if (day === 0) return timeOf(seconds);
  const date = dateOf(is1904 ? day + DAYS_FROM_1900_TO_1904 : day);
  if (date === undefined || seconds === 0) return date;
  return `${date}T${new Date(seconds * 1000).toISOString().slice(11, 19)}`;
}

function dateOf(day: number): string | undefined {
  if (day > LAST_DAY || day === FIRST_OF_MARCH_1900 - 1) return undefined;
  const sinceEpoch = day - (day < FIRST_OF_MARCH_1900 ? 25_568 : 25_569);
  return new Date(sinceEpoch * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000).toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}
