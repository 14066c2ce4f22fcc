import { CsvError, parse } from 'csv-parse';
import { invalidFile } from '../files/report.ts';
import { TEXT_SLICE } from '../files/text.ts';
import { MAX_CELLS, MAX_ROW_SIZE, type Row } from './row.ts';

/** The way in which a text is divided into rows and cells. */
export interface Dialect {
  readonly separator: string;
  /** Another separator that divides the first rows nearly as well; undefined if there is none. */
  readonly rival?: string | undefined;
  /** Line ends, the longest first. */
  readonly lineEnds: readonly string[];
  /** Characters before the first row: a line `sep=;`. */
  readonly skip: number;
  /** Whether cells without quotes around them can contain quotes. */
  readonly hasPlainQuotes: boolean;
}

/** Candidates. If several fit equally well, the first one wins. */
const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Names of separators in the option `separator` and in messages. */
const SEPARATOR_NAMES: Readonly<Record<string, string>> = { '\t': 'tab', ' ': 'space' };
/** A comma that is not followed by a space, as it would be in a sentence. */
const PLAIN_COMMA = /,(?! )/;
/** Beginning of a cell such as `="0012"`, which keeps its zeros in spreadsheets. */
const FORMULA_TEXT = '="';
/** Rows from which the separator is found. */
const MAX_ROWS = 100;
/** The first row of a table can be a title. Then this many rows at least must have equally many cells. */
const MIN_TITLED_ROWS = 3;
const MIN_TITLED_AGREEMENT = 0.8;
/** Part of the best agreement that another separator must have for a suggestion. */
const RIVAL_AGREEMENT = 0.75;
/** The line that spreadsheets read and write before the first row. */
const SEP_LINE = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i;
/** A character that can separate cells: no letter, digit, quote or line end. */
const SEPARATOR_OPTION = /^[\t !#-/:-@[-`{-~]$/;

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'a cell has a quote but does not begin with one',
  CSV_MAX_RECORD_SIZE: `the row has more than ${MAX_ROW_SIZE} bytes, the limit`,
};

/** The separator as messages name it. */
export function nameOfSeparator(separator: string): string {
  return SEPARATOR_NAMES[separator] ?? `"${separator}"`;
}

/** The separator as the option `separator` names it. */
export function optionOfSeparator(separator: string): string {
  return SEPARATOR_NAMES[separator] ?? separator;
}

/**
 * Finds the dialect of a table from its first characters. The option `separator` decides, then a line `sep=;`. Otherwise
 * the best separator is the one with which most rows have the same number of cells. Separators in quoted cells do not
 * count. Throws `INVALID_IMPORT` if the option is invalid.
 */
export function findDialect(start: string, option?: string): Dialect {
  const given = option === undefined ? undefined : readSeparator(option);
  const [line = '', named] = SEP_LINE.exec(start) ?? [];
  const text = start.slice(line.length);
  const lineEnds = findLineEnds(text);
  const known = given ?? named;
  const { separator, rival } =
    known === undefined ? findSeparator(text, lineEnds.at(-1) ?? '\n') : { separator: known, rival: undefined };
  const hasFormulas = [separator, '\n', '\r'].some((before) => text.includes(`${before}${FORMULA_TEXT}`));
  // Cells between tabs often have plain quotes, because tools that write tabs do not quote.
  const hasPlainQuotes = separator === '\t' || hasFormulas;
  return { separator, rival, lineEnds, skip: line.length, hasPlainQuotes };
}

/** Reads the option `separator`: a character, or a name such as `tab`. Throws `INVALID_IMPORT` for others. */
function readSeparator(option: string): string {
  const named = Object.entries(SEPARATOR_NAMES).find(([, name]) => name === option.toLowerCase())?.[0];
  const separator = named ?? option;
  if (SEPARATOR_OPTION.test(separator)) return separator;
  throw invalidFile('UNKNOWN_SEPARATOR', 'separator must be one character, such as , or ; or |, or the word tab');
}

/** Only line ends outside of quoted cells count. A file with LF can have CR within cells. */
function findLineEnds(text: string): readonly string[] {
  let isQuoted = false;
  let hasCr = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n') return ['\r\n', '\n'];
    if (character === '\r') hasCr = true;
  }
  return hasCr ? ['\r'] : ['\r\n', '\n'];
}

/** Counts of the rows and cells into which a separator divides a text. */
interface Division {
  readonly separator: string;
  /** Cells of the first row. */
  readonly width: number;
  /** From 0 to 1: the part of the rows with equally many cells. */
  readonly agreement: number;
  /** Number of rows with several cells. */
  readonly divided: number;
}

function findSeparator(text: string, lineEnd: string): Pick<Dialect, 'separator' | 'rival'> {
  const divisions = SEPARATORS.flatMap((separator) => divide(text, separator, lineEnd) ?? []);
  // The sort is stable, so the first candidate wins if two are equal.
  const [best, second] = divisions
    .filter(
      ({ width, agreement, divided }) => width > 1 || (divided >= MIN_TITLED_ROWS && agreement >= MIN_TITLED_AGREEMENT),
    )
    .toSorted(
      (one, other) => other.agreement - one.agreement || other.divided - one.divided || other.width - one.width,
    );
  if (best === undefined) return { separator: PLAIN_COMMA.test(text) ? ',' : findUnused(divisions) };
  const isRival = second !== undefined && second.width > 1 && second.agreement >= best.agreement * RIVAL_AGREEMENT;
  return { separator: best.separator, rival: isRival ? second.separator : undefined };
}

/** A separator that does not occur in the cells of a text with one column. */
function findUnused(divisions: readonly Division[]): string {
  return divisions.find(({ divided }) => divided === 0)?.separator ?? ',';
}

/** Undefined if the separator divides the first row within quotes. */
function divide(text: string, separator: string, lineEnd: string): Division | undefined {
  const [first, ...others] = countCells(text, separator, lineEnd);
  if (first === undefined || first === BROKEN) return undefined;
  // A first row with one cell can be a title above the header. Then the usual number of cells is expected.
  const expected = first.cells > 1 ? first : usualOf(others);
  const points = others.reduce((sum, row) => sum + agreementOf(row, expected), 0);
  const divided = [first, ...others].filter(({ cells }) => cells > 1).length;
  const agreement = divided === 0 ? 0 : others.length === 0 ? 1 : points / others.length;
  return { separator, width: first.cells, agreement, divided };
}

/** Points of a row for a separator: 1 if its cells fit the header, 0.5 for too few cells, 0 for one cell or too many. */
function agreementOf({ cells, filled }: CellCount, header: CellCount): number {
  if (header.cells < 2 || cells < 2) return 0;
  if (cells > header.cells) return filled <= header.cells ? 1 : 0;
  // Some programs leave out empty cells at the end of a row.
  return cells >= header.filled ? 1 : 0.5;
}

/** The most frequent number of cells. */
function usualOf(rows: readonly CellCount[]): CellCount {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells, (counts.get(cells) ?? 0) + 1);
  const [[cells] = [0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return { cells, filled: cells };
}

/** The cells of a row: all of them, and those up to the last one that is not empty. */
interface CellCount {
  readonly cells: number;
  readonly filled: number;
}

/** A row with a misplaced quote, which agrees with no header. */
const BROKEN: CellCount = { cells: 0, filled: 0 };

/** Counts the cells of the first rows, up to a row with a misplaced quote. */
function countCells(text: string, separator: string, lineEnd: string): readonly CellCount[] {
  const rows: CellCount[] = [];
  let [cells, filled] = [1, 0];
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  for (let at = 0; at < text.length && rows.length < MAX_ROWS; at += 1) {
    const character = text[at];
    if (state === 'quoted') {
      if (character === '"') state = 'closed';
      else filled = cells;
    } else if (character === separator) {
      cells += 1;
      state = 'start';
    } else if (character === lineEnd) {
      if (cells > 1 || filled > 0) rows.push({ cells, filled });
      [cells, filled] = [1, 0];
      state = 'start';
    } else if (character === '"') {
      if (state === 'plain' && separator !== '\t') return [...rows, BROKEN];
      // A doubled quote is a literal one.
      if (state === 'closed') filled = cells;
      if (state !== 'plain') state = 'quoted';
    } else if (character !== '\r' && !(state === 'start' && text.startsWith(FORMULA_TEXT, at))) {
      if (state === 'closed') return [...rows, BROKEN];
      state = 'plain';
      if (character !== ' ') filled = cells;
    }
  }
  // The last row can be incomplete, so it counts only if it is the only row.
  if (rows.length === 0) rows.push({ cells, filled });
  return rows;
}

/**
 * Streams the non-empty rows of a delimited text (RFC 4180). Throws `INVALID_IMPORT` at the first error, after the rows
 * before it.
 *
 * @param description the way in which the file is read, for messages
 */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  dialect: Dialect,
  description = `separator ${nameOfSeparator(dialect.separator)}`,
): AsyncGenerator<Row> {
  let number = 0;
  const reject = (row: number, meaning: string) => {
    return invalidFile('BAD_CSV', `row ${row}: ${meaning} (${description})`);
  };
  try {
    for await (const record of recordsOf(text, dialect)) {
      number += 1;
      if (record.length > MAX_CELLS) throw reject(number, `the row has more than ${MAX_CELLS} cells`);
      if (record.some((cell) => cell.trim() !== '')) yield { number, cells: record.map(withoutFormula) };
    }
  } catch (error) {
    const meaning = error instanceof CsvError ? meanings[error.code] : undefined;
    throw meaning === undefined ? error : reject(number + 1, meaning);
  }
}

/** The text of a cell such as `="0012"`, which spreadsheets read as a text and not as a number. */
function withoutFormula(cell: string): string {
  if (!cell.startsWith(FORMULA_TEXT) || !cell.endsWith('"') || cell.length <= FORMULA_TEXT.length) return cell;
  return cell.slice(FORMULA_TEXT.length, -1).replaceAll('""', '"');
}

async function* recordsOf(text: AsyncIterable<string>, dialect: Dialect): AsyncGenerator<string[]> {
  let records: string[][] = [];
  const parser = parse({
    delimiter: dialect.separator,
    record_delimiter: [...dialect.lineEnds],
    // Readers report missing and extra cells.
    relax_column_count: true,
    relax_quotes: dialect.hasPlainQuotes,
    max_record_size: MAX_ROW_SIZE,
    // Collect the rows here, because the stream drops parsed rows if a later row is invalid.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  // Errors are read from the callback of `write`. Without a listener, the event would be thrown too.
  parser.on('error', () => {});
  const take = async (write: (done: (error?: Error | null) => void) => void) => {
    const error = await new Promise<Error | null | undefined>((resolve) => write(resolve));
    const taken = records;
    records = [];
    return { taken, error };
  };
  for await (const piece of withoutStart(text, dialect.skip)) {
    for (let at = 0; at < piece.length; at += TEXT_SLICE) {
      const { taken, error } = await take((done) => parser.write(piece.slice(at, at + TEXT_SLICE), done));
      yield* taken;
      if (error) throw error;
    }
  }
  const { taken, error } = await take((done) => parser.end(done));
  yield* taken;
  if (error) throw error;
}

async function* withoutStart(text: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let left = length;
  for await (const piece of text) {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    if (skipped < piece.length) yield piece.slice(skipped);
  }
}
