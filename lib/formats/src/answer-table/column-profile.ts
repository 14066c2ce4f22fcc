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
export const CHOICE_SEPARATORS = [';', '|', '\n', ','] as const;

/** The pieces of a column if its cells are split at a separator. They may be the options of a multiple choice. */
export interface Pieces {
  /** Number of cells with each piece; undefined if the pieces are too many or too long. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** Number of cells with the separator. */
  readonly separated: number;
  /** Number of pieces in all cells. */
  readonly total: number;
}

/** Statistics of the cells of a column, from which the type of its question is guessed. */
export interface ColumnProfile {
  /** Cells that are not blank. */
  readonly filled: number;
  readonly contents: ReadonlyMap<CellContent, number>;
  /** Number of cells with each value; undefined if the values are too many or too long. */
  readonly values: ReadonlyMap<string, number> | undefined;
  /** Whether all cells are integers of at most two digits, without leading zeros. */
  readonly isScale: boolean;
  /** `min` and `max` are of the cells that are integers of at most two digits. */
  readonly min: number;
  readonly max: number;
  /** Length of the longest cell. */
  readonly longest: number;
  readonly hasLines: boolean;
  /** Whether a cell has only invisible characters, which no option can have. */
  readonly hasInvisible: boolean;
  /** Whether a cell has only digits, with a zero first: a code, such as a postcode. */
  readonly hasCodes: boolean;
  readonly pieces: ReadonlyMap<string, Pieces>;
  /** Whether an id occurs more than once; false for columns without ids. */
  readonly repeatsIds: boolean;
}

export interface ProfileBuilder {
  /** @param number the number of the cell, if it is one in a workbook */
  add(cell: string, number?: string): void;
  profile(): ColumnProfile;
}

/** Maximum number of distinct values: a column with more has no list of options. */
export const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 100;
const MAX_PIECES = 30;
const MAX_PIECE_LENGTH = 60;
const MAX_DIGITS = 15;
const FLAGS = new Set('yes no true false y n ja nein oui non si sí no sim não tak nie'.split(' '));
const SMALL_INTEGER = /^(?:0|[1-9]\d?)$/;

/** Creates a function that recognizes the content of a cell, by the locale and date format of the table. */
export function createCellReader({ locale, dateFormat }: Pick<TableOptions, 'locale' | 'dateFormat'>) {
  const names = dateNames(isLocale(locale) ? locale : undefined);
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
        if (isDate(text, 'date') || isShortDate(text)) return 'date';
        if (isDate(text, 'timestamp')) return 'timestamp';
      }
    }
    if (TEXT_FORMATS.email(text)) return 'email';
    return TEXT_FORMATS.url(text) ? 'url' : 'text';
  };
}

/**
 * Collects the data from which the type of a column is guessed.
 *
 * @param mayBeIds whether the column can contain ids of responses, by its heading
 */
export function createProfile(contentOf: (cell: string) => CellContent, mayBeIds = false): ProfileBuilder {
  const ids = new Set<string>();
  let repeatsIds = false;
  const contents = new Map<CellContent, number>();
  const values = createCounts(MAX_VALUES, MAX_VALUE_LENGTH);
  const pieces = CHOICE_SEPARATORS.map((separator) => ({
    separator,
    counts: createCounts(MAX_PIECES, MAX_PIECE_LENGTH),
    separated: 0,
    total: 0,
  }));
  let [filled, longest, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [isScale, hasLines, hasInvisible, hasCodes] = [true, false, false, false];

  return {
    add(cell, number) {
      const text = cell.trim();
      if (text === '') return;
      filled += 1;
      longest = Math.max(longest, text.length);
      hasLines ||= /[\r\n]/.test(text);
      hasInvisible ||= isBlank(text);
      // A number that is displayed with zeros before it is a code.
      const value = number === undefined || /^0\d/.test(text) ? text : number;
      const content = contentOf(value);
      contents.set(content, (contents.get(content) ?? 0) + 1);
      hasCodes ||= /^0\d+$/.test(text);
      if (SMALL_INTEGER.test(value)) [min, max] = [Math.min(min, Number(value)), Math.max(max, Number(value))];
      else isScale = false;
      values.add(text);
      if (mayBeIds) {
        const id = toComparableId(text);
        repeatsIds ||= ids.has(id);
        if (id.length <= MAX_ID && ids.size < MAX_KNOWN_IDS) ids.add(id);
      }
      for (const piece of pieces) {
        if (piece.counts.counts() === undefined) continue;
        const parts = splitAt(text, piece.separator);
        if (parts.length > 1) piece.separated += 1;
        piece.total += parts.length;
        for (const part of new Set(parts)) piece.counts.add(part);
      }
    },

    profile: () => ({
      filled,
      contents,
      values: values.counts(),
      isScale: isScale && filled > 0,
      min,
      max,
      longest,
      hasLines,
      hasInvisible,
      hasCodes,
      repeatsIds,
      pieces: new Map(
        pieces.map(({ separator, counts, separated, total }) => [
          separator,
          { counts: counts.counts(), separated, total },
        ]),
      ),
    }),
  };
}

/** Minimum part of the cells that dates or times must be, so that the column is one of dates or times. */
const MOST = { ofMany: 0.8, ofFew: 0.6 };
const FEW = 10;
/** Minimum number of such cells. */
const FEWEST = 2;

/** Whether most cells of a column have these kinds of content. The others are exceptions, such as typing errors. */
export function isMostly({ filled, contents }: ColumnProfile, ...kinds: readonly CellContent[]): boolean {
  const count = kinds.reduce((sum, kind) => sum + (contents.get(kind) ?? 0), 0);
  return count === filled || (count >= FEWEST && count >= filled * (filled < FEW ? MOST.ofFew : MOST.ofMany));
}

/** Parts of a cell. After a comma, a part in lower case continues one that begins with a capital: `Late, sometimes`. */
function splitAt(text: string, separator: string): readonly string[] {
  const parts = text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (separator !== ',') return parts;
  const joined: string[][] = [];
  for (const part of parts) {
    const previous = joined.at(-1);
    if (previous?.[0] !== undefined && /^\p{Ll}/u.test(part) && /^\p{Lu}/u.test(previous[0])) previous.push(part);
    else joined.push([part]);
  }
  return joined.map((together) => together.join(', '));
}

/** Counts each distinct text. The counts become undefined at too many texts, or at a text that is too long. */
function createCounts(maximum: number, longest: number) {
  let counts: Map<string, number> | undefined = new Map();
  return {
    add(text: string) {
      const key = toExactKey(text);
      if (counts === undefined) return;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (counts.size > maximum || text.length > longest) counts = undefined;
    },
    counts: (): ReadonlyMap<string, number> | undefined => counts,
  };
}

/** Whether a text is a number rather than a code: a leading zero or plus, or very many digits, make it a text. */
function isNumber(text: string): boolean {
  if (!/\d/.test(text) || /^[+]|^-?0\d/.test(text) || text.replaceAll(/\D/g, '').length > MAX_DIGITS) return false;
  return readNumber(text) !== undefined;
}

function isShortDate(text: string): boolean {
  const [, first = '', second = ''] = /^(\d{1,2})\D(\d{1,2})\D\d{2}$/.exec(text) ?? [];
  return (
    hasShortYear(text) && Math.min(Number(first), Number(second)) <= 12 && Math.max(Number(first), Number(second)) <= 31
  );
}

function isLocale(locale: string | undefined): boolean {
  try {
    return locale !== undefined && Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
