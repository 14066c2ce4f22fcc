import { AppError } from '@survey/runtime/errors/app-error';
import { findOffsets, type OffsetAt } from '@survey/runtime/rest/timestamp';
import { invalidFile, invalidImport } from '../files/report.ts';
import {
  type DateOrder,
  type DayOrder,
  dateNames,
  dateOrderOf,
  hasShortYear,
  hasUsualYear,
  readDate,
  readDateFormat,
  readTime,
} from './dates.ts';
import { type DecimalSeparator, decimalOf, readNumber } from './numbers.ts';
import { rowsAfter, type Table } from './open-table.ts';
import type { Row, UnreadCell } from './row.ts';
import type { TableOptions } from './table-options.ts';

/** The kind of values in the cells of a column. */
export type ColumnKind = 'date' | 'time' | 'timestamp' | 'number';

/** Converts dates, times and numbers of some columns to ISO 8601 and decimal points. */
export interface ColumnValues {
  /** Learns from a row how its columns write dates and numbers. */
  learn(row: Row): void;
  /**
   * Whether `learn` must get all rows first, because the options do not determine the order of dates or the decimals.
   */
  readonly needsRows: boolean;
  /** Throws `INVALID_IMPORT` if a cell of a column has two readings and no other cell decides. */
  check(): void;
  /**
   * Converts the cells of a row. Cells that are neither dates nor numbers stay, so that validation rejects them. Dates
   * with an unusual year become unread.
   */
  convert(row: Row): Row;
}

/** Evidence in the cells of a column for its date order or decimal separator. A way is one of the two candidates. */
interface Evidence<Way extends string> {
  /** Ways of cells that have only one valid reading. */
  readonly proven: Set<Way>;
  /** Row of the first cell with two different readings. */
  ambiguousRow: number | undefined;
}

interface Column {
  readonly position: number;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly dates: Evidence<DayOrder>;
  readonly numbers: Evidence<DecimalSeparator>;
  /** Row of the first date with a year of two digits. */
  shortYearRow: number | undefined;
}

const MAX_NAME = 200;
const PLAIN_NUMBER = /^-?\d+$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** A date in ISO 8601, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
/** The problem of a date that spreadsheets or respondents wrote in another calendar. */
export const UNUSUAL_YEAR = {
  code: 'UNUSUAL_YEAR',
  detail: 'the year is not from 1900 to 2200; it can be of another calendar, such as the Buddhist one',
};

/** Whether a text is a date in ISO 8601 with a year that dates of a survey do not have. */
export function hasUnusualYear(text: string): boolean {
  return DATE.test(text) && !hasUsualYear(text);
}

/** Options for the columns of a table. */
interface ValueOptions extends Omit<TableOptions, 'encoding' | 'separator'> {
  /** Whether dates can have any year, as in exports of this platform. */
  readonly allowsAnyYear?: boolean;
}

/** Throws `INVALID_IMPORT` if an option is invalid. */
export function createColumnValues(
  kinds: ReadonlyMap<number, ColumnKind>,
  names: readonly string[],
  options: ValueOptions,
): ColumnValues {
  const { order, decimal } = readOptions(options);
  const dateReading = { names: dateNames(options.locale), given: order };
  const columns = [...kinds].map(
    ([position, kind]): Column => ({
      position,
      name: (names[position] ?? '').slice(0, MAX_NAME),
      kind,
      dates: { proven: new Set(), ambiguousRow: undefined },
      numbers: { proven: new Set(), ambiguousRow: undefined },
      shortYearRow: undefined,
    }),
  );
  const isDate = (kind: ColumnKind): kind is 'date' | 'timestamp' => kind === 'date' || kind === 'timestamp';
  const dayOrder = order?.order === 'ymd' ? undefined : order?.order;

  function learnFromCell(column: Column, cell: string, row: number): void {
    if (isDate(column.kind) && dayOrder === undefined && !ISO_DATE.test(cell)) {
      const readings = readDate(cell, column.kind, dateReading);
      if (readings !== undefined) recordEvidence(column.dates, readings, ['dmy', 'mdy'], row);
      else if (hasShortYear(cell)) column.shortYearRow ??= row;
    }
    if (column.kind === 'number' && decimal === undefined && !PLAIN_NUMBER.test(cell)) {
      const readings = readNumber(cell);
      if (readings !== undefined) recordEvidence(column.numbers, readings, ['.', ','], row);
    }
  }

  function convertCell(column: Column, cell: string): string {
    if (column.kind === 'time') return readTime(cell) ?? cell;
    if (column.kind === 'number') {
      if (PLAIN_NUMBER.test(cell)) return cell;
      const readings = readNumber(cell);
      return (readings && choose(readings, decimal ?? provenBy(column.numbers), ['.', ','])) ?? cell;
    }
    if (ISO_DATE.test(cell)) return cell;
    const readings = readDate(cell, column.kind, dateReading);
    // A date that does not fit the given format is invalid.
    if (dayOrder !== undefined) return readings?.[dayOrder] ?? cell;
    return (readings && choose(readings, provenBy(column.dates), ['dmy', 'mdy'])) ?? cell;
  }

  return {
    learn({ cells, number, numbers }) {
      for (const column of columns) {
        const cell = (cells[column.position] ?? '').trim();
        // Numbers of workbooks have one reading.
        if (cell !== '' && numbers?.has(column.position) !== true) learnFromCell(column, cell, number);
      }
    },

    needsRows: columns.some(
      ({ kind }) => (isDate(kind) && dayOrder === undefined) || (kind === 'number' && decimal === undefined),
    ),

    check() {
      const problems = columns.flatMap(({ name, dates, numbers, shortYearRow }) => {
        const at = (row: number) => `row ${row}, column ${name}: `;
        const found = [];
        if (dates.ambiguousRow !== undefined && dates.proven.size !== 1) {
          const detail =
            'the date can have the day or the month first; set date_format, such as DD/MM/YYYY or MM/DD/YYYY';
          found.push({ path: '', code: 'AMBIGUOUS_DATE', detail: at(dates.ambiguousRow) + detail });
        }
        if (shortYearRow !== undefined) {
          const detail = 'the year of the date has two digits; set date_format, such as DD/MM/YY or MM/DD/YY';
          found.push({ path: '', code: 'AMBIGUOUS_DATE', detail: at(shortYearRow) + detail });
        }
        if (numbers.ambiguousRow !== undefined && numbers.proven.size !== 1) {
          const detail = 'the separator in the number can be a decimal or a thousands separator; set decimal to . or ,';
          found.push({ path: '', code: 'AMBIGUOUS_NUMBER', detail: at(numbers.ambiguousRow) + detail });
        }
        return found;
      });
      if (problems.length > 0) throw invalidImport(problems);
    },

    convert(row) {
      const { cells, numbers } = row;
      let converted: string[] | undefined;
      let unread: Map<number, UnreadCell> | undefined;
      for (const column of columns) {
        const { position, kind } = column;
        const cell = (numbers?.get(position) ?? cells[position] ?? '').trim();
        if (cell === '') continue;
        const value = kind === 'number' && numbers?.has(position) === true ? cell : convertCell(column, cell);
        const isUnusual = isDate(kind) && options.allowsAnyYear !== true && hasUnusualYear(value);
        if (isUnusual) {
          unread ??= new Map(row.unread);
          unread.set(position, { ...UNUSUAL_YEAR, value: cell });
        }
        if (value === cells[position] && !isUnusual) continue;
        converted ??= [...cells];
        converted[position] = isUnusual ? '' : value;
      }
      if (converted === undefined) return row;
      return { ...row, cells: converted, ...(unread !== undefined && { unread }) };
    },
  };
}

/** Records whether a cell proves one of two ways, or has a different reading in each. */
function recordEvidence<Way extends string>(
  evidence: Evidence<Way>,
  readings: Readonly<Record<Way, string | undefined>>,
  [one, other]: readonly [Way, Way],
  row: number,
): void {
  if (readings[one] === readings[other]) return;
  if (readings[one] === undefined) evidence.proven.add(other);
  else if (readings[other] === undefined) evidence.proven.add(one);
  else evidence.ambiguousRow ??= row;
}

function provenBy<Way extends string>({ proven }: Evidence<Way>): Way | undefined {
  const [way, ...others] = proven;
  return others.length === 0 ? way : undefined;
}

/** The reading in the known way, or the only reading. Undefined if there are two readings and no way is known. */
function choose<Way extends string>(
  readings: Readonly<Record<Way, string | undefined>>,
  way: Way | undefined,
  [one, other]: readonly [Way, Way],
): string | undefined {
  const [first, second] = [readings[one], readings[other]];
  if (first === second || second === undefined) return first;
  if (first === undefined) return second;
  return way === undefined ? undefined : readings[way];
}

/**
 * The order of dates and the decimal separator that options name. An explicit option wins over the locale. Throws
 * `INVALID_IMPORT` if an option is invalid.
 */
function readOptions({ locale, dateFormat, decimal, timeZone }: ValueOptions) {
  const order: DateOrder | undefined =
    dateFormat !== undefined ? readDateFormat(dateFormat) : locale === undefined ? undefined : dateOrderOf(locale);
  if (dateFormat !== undefined && order === undefined) {
    throw invalidFile('UNKNOWN_DATE_FORMAT', 'date_format must have the parts DD, MM and YYYY, such as DD/MM/YYYY');
  }
  const localeDecimal = locale === undefined ? undefined : decimalOf(locale);
  if (locale !== undefined && localeDecimal === undefined) {
    throw invalidFile('UNKNOWN_LOCALE', 'locale must be a language tag, such as de or en-GB');
  }
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') {
    throw invalidFile('UNKNOWN_DECIMAL', 'decimal must be . or ,');
  }
  if (timeZone !== undefined) offsetsOf(timeZone);
  return { order, decimal: decimal ?? localeDecimal };
}

/** The offsets of the option `time_zone`. Throws `INVALID_IMPORT` if the zone is unknown. */
export function offsetsOf(timeZone: string): OffsetAt {
  const offsetAt = findOffsets(timeZone);
  if (offsetAt !== undefined) return offsetAt;
  throw invalidFile('UNKNOWN_TIME_ZONE', 'time_zone must be the name of an IANA time zone, such as Europe/Berlin');
}

interface Columns {
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  readonly names: readonly string[];
  /** Number of header rows. */
  readonly headerRows: number;
  readonly options: ValueOptions;
}

/**
 * Looks at all rows of a table to learn how its columns write dates and numbers. Throws `INVALID_IMPORT` if a column
 * can be read in two ways.
 */
export async function learnValues(table: Table, { kinds, names, headerRows, options }: Columns): Promise<ColumnValues> {
  const values = createColumnValues(kinds, names, options);
  if (!values.needsRows) return values;
  try {
    for await (const row of rowsAfter(table, headerRows)) values.learn(row);
  } catch (error) {
    // The import reads the rows again, and then reports this error after the rows before it.
    if (!(error instanceof AppError)) throw error;
  }
  values.check();
  return values;
}
