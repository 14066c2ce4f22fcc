import { isBlank } from '@survey/questionnaire/answers/plain-text';
import { TEXT_FORMATS } from '@survey/questionnaire/answers/text-formats';
import { toExactKey } from '../core/columns/headings.ts';
import { MAX_ID, MAX_KNOWN_IDS, toComparableId } from '../core/responses/response.ts';
import {
  type DateOrder,
  dateNames,
  hasShortYear,
  hasUsualYear,
  readDate,
  readDateFormat,
  readTime,
} from '../tables/dates.ts';
import { readNumber } from '../tables/numbers.ts';
import type { TableOptions } from '../tables/table-options.ts';

/** Kinds of the content of a cell. */
export type CellContent = 'number' | 'date' | 'time' | 'timestamp' | 'flag' | 'email' | 'url' | 'text';

/** Separators of several options in a cell, in the order in which they are tried. */
const CHOICE_SEPARATORS = [';', '|', '\n', ','] as const;

/** Distinct texts, each with the first row that has it; undefined if there are too many, or one is too long. */
type DistinctTexts = Map<string, number> | undefined;

/** The pieces of a column if its cells are split at a separator. They may be the options of a multiple choice. */
export interface Pieces {
  readonly separator: (typeof CHOICE_SEPARATORS)[number];
  texts: DistinctTexts;
  /** Number of cells with the separator. */
  separated: number;
  /** Number of pieces in all cells. */
  total: number;
}

/** Statistics of the cells of a column, or of several columns, from which the type of a question is guessed. */
interface Profile {
  /** Number of cells with characters, even if all of them are invisible. */
  filled: number;
  readonly contents: Map<CellContent, number>;
  values: DistinctTexts;
  /** Whether all filled cells are integers of at most two digits, without leading zeros. */
  hasOnlySmallIntegers: boolean;
  /** The least and the greatest of the small integers, even if other cells have something else. */
  min: number;
  max: number;
  /** Length of the longest cell. */
  longest: number;
  hasLineBreaks: boolean;
  /** Whether a cell has only invisible characters, which no option can have. */
  hasInvisible: boolean;
  /** Whether a cell has only digits, with a zero first: a code, such as a postcode. */
  hasCodes: boolean;
  /** In the order of `CHOICE_SEPARATORS`. */
  readonly pieces: readonly Pieces[];
  /** Whether an id of a response occurs more than once; false for columns that cannot have such ids. */
  repeatsIds: boolean;
}

export type ColumnProfile = Readonly<Profile>;

export interface ProfileBuilder {
  /** The statistics of the cells so far. */
  readonly profile: ColumnProfile;
  /**
   * Adds the cell of the next row.
   *
   * @param number the stored number, if the cell is a number in a workbook; `cell` is the text that it displays
   */
  add(cell: string, number?: string): void;
}

const MAX_VALUE_LENGTH = 100;
/** A column with more or longer values has no list of options. */
const VALUE_LIMITS = { count: 50, length: MAX_VALUE_LENGTH };
const PIECE_LIMITS = { count: 30, length: 60 };
const FLAGS = new Set('yes no true false y n ja nein oui non si sí no sim não tak nie'.split(' '));
const SMALL_INTEGER = /^(?:0|[1-9]\d?)$/;

/** Creates a function that recognizes the content of a cell, by the locale and date format of the table. */
export function createCellReader({ locale, dateFormat }: Pick<TableOptions, 'locale' | 'dateFormat'>) {
  const names = dateNames(locale);
  const given: DateOrder | undefined = dateFormat === undefined ? undefined : readDateFormat(dateFormat);
  const isDate = (text: string, kind: 'date' | 'timestamp') => {
    const { dmy, mdy } = readDate(text, kind, { names, given }) ?? {};
    const date = dmy ?? mdy;
    return date !== undefined && hasUsualYear(date);
  };
  return (cell: string): CellContent => {
    const text = cell.trim();
    if (isNumber(text)) return 'number';
    if (FLAGS.has(text.toLowerCase())) return 'flag';
    if (text.length <= MAX_VALUE_LENGTH && /\d/.test(text)) {
      if (readTime(text) !== undefined) return 'time';
      // Digits alone are a number, or a code such as a postcode.
      if (!/^\d+$/.test(text)) {
        if (isDate(text, 'date')) return 'date';
        if (isDate(text, 'timestamp')) return 'timestamp';
        const content = contentOfShortDate(text);
        if (content !== undefined) return content;
      }
    }
    if (TEXT_FORMATS.email(text)) return 'email';
    return TEXT_FORMATS.url(text) ? 'url' : 'text';
  };
}

function emptyProfile(): Profile {
  return {
    filled: 0,
    contents: new Map(),
    values: new Map(),
    hasOnlySmallIntegers: true,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    longest: 0,
    hasLineBreaks: false,
    hasInvisible: false,
    hasCodes: false,
    pieces: CHOICE_SEPARATORS.map((separator) => ({ separator, texts: new Map(), separated: 0, total: 0 })),
    repeatsIds: false,
  };
}

/** @param mayBeIds whether the column can contain ids of responses, by its heading */
export function createProfile(contentOf: (cell: string) => CellContent, mayBeIds = false): ProfileBuilder {
  const profile = emptyProfile();
  const ids = new Set<string>();
  let row = 0;
  return {
    profile,
    add(cell, number) {
      row += 1;
      const text = cell.trim();
      if (text === '') return;
      // A number that is displayed with zeros before it is a code.
      const value = number === undefined || /^0\d/.test(text) ? text : number;
      profile.filled += 1;
      addCount(profile.contents, contentOf(value), 1);
      profile.values = addText(profile.values, text, row, VALUE_LIMITS);
      if (SMALL_INTEGER.test(value)) {
        profile.min = Math.min(profile.min, Number(value));
        profile.max = Math.max(profile.max, Number(value));
      } else profile.hasOnlySmallIntegers = false;
      profile.longest = Math.max(profile.longest, text.length);
      profile.hasLineBreaks ||= /[\r\n]/.test(text);
      profile.hasInvisible ||= isBlank(text);
      profile.hasCodes ||= /^0\d+$/.test(text);
      for (const pieces of profile.pieces) if (pieces.texts !== undefined) addPieces(pieces, text, row);
      if (!mayBeIds) return;
      const id = toComparableId(text);
      profile.repeatsIds ||= ids.has(id);
      if (id.length <= MAX_ID && ids.size < MAX_KNOWN_IDS) ids.add(id);
    },
  };
}

/** The profile of several columns together: as if their cells were in one column, row by row. */
export function mergeProfiles(profiles: readonly ColumnProfile[]): ColumnProfile {
  const merged = emptyProfile();
  merged.values = mergeTexts(
    profiles.map(({ values }) => values),
    VALUE_LIMITS,
  );
  for (const [at, pieces] of merged.pieces.entries()) {
    const ofColumns = profiles.flatMap((profile) => profile.pieces[at] ?? []);
    pieces.texts = mergeTexts(
      ofColumns.map(({ texts }) => texts),
      PIECE_LIMITS,
    );
    for (const { separated, total } of ofColumns) {
      pieces.separated += separated;
      pieces.total += total;
    }
  }
  for (const profile of profiles) {
    for (const [content, count] of profile.contents) addCount(merged.contents, content, count);
    merged.filled += profile.filled;
    merged.hasOnlySmallIntegers &&= profile.hasOnlySmallIntegers;
    merged.min = Math.min(merged.min, profile.min);
    merged.max = Math.max(merged.max, profile.max);
    merged.longest = Math.max(merged.longest, profile.longest);
    merged.hasLineBreaks ||= profile.hasLineBreaks;
    merged.hasInvisible ||= profile.hasInvisible;
    merged.hasCodes ||= profile.hasCodes;
  }
  return merged;
}

interface TextLimits {
  readonly count: number;
  readonly length: number;
}

function addText(texts: DistinctTexts, text: string, row: number, limits: TextLimits): DistinctTexts {
  if (texts === undefined || text.length > limits.length) return undefined;
  const key = toExactKey(text);
  if (!texts.has(key)) texts.set(key, row);
  return texts.size > limits.count ? undefined : texts;
}

/** The texts of several columns, in the order of their rows. */
function mergeTexts(columns: readonly DistinctTexts[], limits: TextLimits): DistinctTexts {
  const merged = new Map<string, number>();
  const entries: (readonly [text: string, row: number])[] = [];
  for (const texts of columns) {
    if (texts === undefined) return undefined;
    entries.push(...texts);
  }
  for (const [text, row] of entries.toSorted(([, row], [, other]) => row - other)) {
    if (!merged.has(text)) merged.set(text, row);
  }
  return merged.size > limits.count ? undefined : merged;
}

function addPieces(pieces: Pieces, cell: string, row: number): void {
  const texts = splitAt(cell, pieces.separator);
  if (texts.length > 1) pieces.separated += 1;
  pieces.total += texts.length;
  for (const text of texts) pieces.texts = addText(pieces.texts, text, row, PIECE_LIMITS);
}

function addCount(counts: Map<CellContent, number>, content: CellContent, count: number): void {
  counts.set(content, (counts.get(content) ?? 0) + count);
}

/** Minimum share of dates or times in the cells of a column of dates or times. */
const MIN_SHARE = { ofMany: 0.8, ofFew: 0.6 };
const SMALL_COLUMN = 10;
/** Minimum number of dates or times in such a column, if it has other cells too. */
const MIN_COUNT = 2;

/**
 * Whether most cells of a column have these kinds of content, or it is empty. The others are exceptions, such as typing
 * errors.
 */
export function isMostly({ filled, contents }: ColumnProfile, ...kinds: readonly CellContent[]): boolean {
  const count = kinds.reduce((sum, kind) => sum + (contents.get(kind) ?? 0), 0);
  return (
    count === filled ||
    (count >= MIN_COUNT && count >= filled * (filled < SMALL_COLUMN ? MIN_SHARE.ofFew : MIN_SHARE.ofMany))
  );
}

/**
 * Parts of a cell. `Late, sometimes` is one part, because lower case continues a part that begins with a capital. It
 * keeps its commas and spaces, so that the cell has it as an option.
 */
function splitAt(text: string, separator: string): readonly string[] {
  const groups: string[][] = [];
  for (const part of text.split(separator)) {
    const group = groups.at(-1);
    const continues = separator === ',' && /^\s*\p{Ll}/u.test(part) && /^\s*\p{Lu}/u.test(group?.[0] ?? '');
    if (group !== undefined && continues) group.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => group.join(separator).trim()).filter((part) => part !== '');
}

/** Whether a text is a number. A text with a leading zero or plus, or with an integer of over 15 digits, is a code. */
function isNumber(text: string): boolean {
  if (!/\d/.test(text) || /^[+]|^-?0\d/.test(text)) return false;
  // Computed decimals, such as `0.30000000000000004`, have many digits after the point.
  const readings: readonly (string | undefined)[] = Object.values(readNumber(text) ?? {});
  return readings.some((reading) => reading !== undefined && /^-?\d{1,15}(?!\d)/.test(reading));
}

/** The content of a date whose year has two digits: `1/13/23`, or with a time. Undefined for other texts. */
function contentOfShortDate(text: string): 'date' | 'timestamp' | undefined {
  const [, first = '', second = '', clock = '0:00'] = /^(\d{1,2})\D(\d{1,2})\D\d{2}(?:,? (.+))?$/.exec(text) ?? [];
  const [least, most] = [Math.min(Number(first), Number(second)), Math.max(Number(first), Number(second))];
  const time = readTime(clock);
  if (!hasShortYear(text) || time === undefined || least < 1 || least > 12 || most > 31) return undefined;
  // Spreadsheets add midnight to dates.
  return time === '00:00' ? 'date' : 'timestamp';
}
