import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { dateNames, hasShortYear, readDate, readTime } from '../../tables/dates.ts';
import { readNumber } from '../../tables/numbers.ts';
import { rowsAfter, type Table } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import { lookAhead } from '../look-ahead.ts';
import { EMPTY_RESPONSE, type FileResponse } from '../responses/response.ts';
import { questionsOf } from '../source-questions.ts';
import { textsOf } from '../texts.ts';
import { toLooseKey } from './headings.ts';

/**
 * The rows of a file that are responses. The others are left out, such as these:
 *
 * | row | it is |
 * |---|---|
 * | `Survey of guests` | above the header |
 * | `ResponseId`, `Q1` | the header |
 * | `Response ID`, `How was it?` | below the header: texts or codes of the columns |
 * | `r1`, `Good` | a response |
 * | `ResponseId`, `Q1` | the header again |
 */
export interface ResponseRows {
  /** The header, then the responses. */
  readonly table: Table;
  /** Warnings about rows that the last reading of the table has left out. */
  warnings(): readonly FieldProblem[];
  /**
   * Adds a response with `isNoResponse` for each row that is left out, so that the others keep their index in the file.
   * Warns about these rows at the end.
   */
  withLeftOut(
    responses: AsyncIterable<FileResponse>,
    warn: (warning: FieldProblem) => void,
  ): AsyncGenerator<FileResponse>;
}

export interface RowRules {
  /**
   * Names of targets by position, if the row is the header: for headings of the survey or about the response, and for
   * columns that the option `columns` names. The option wins.
   */
  targetsOf(row: Row): ReadonlyMap<number, string>;
  /** The survey; undefined if the table becomes a survey. */
  readonly payload?: JsonObject;
  /** Whether a heading is about the response, such as `Timestamp`. */
  isAboutResponse(heading: string): boolean;
  /**
   * Number of header rows that the reader reads itself, in a table that begins with them. If it is undefined, the header
   * has one row, or two with titles and parts, which become one.
   */
  headerRows?(start: readonly Row[]): number;
}

/** The rows at the beginning of a file that are no responses. */
interface TableStart {
  readonly above: readonly Row[];
  /** The header as the reader gets it: one row can be made of two. */
  readonly header: readonly Row[];
  readonly below: readonly Row[];
  /** The rows of the header in the file, and those below it. If they occur again, they are left out again. */
  readonly repeatable: readonly Row[];
  /** Number of rows of the file that count as the header, and not as left out. */
  readonly headerRows: number;
}

/** Number of rows from which the header is found. */
const START = 30;
/** Maximum rows above a header, and of texts or codes below it. */
const MAX_ABOVE = 5;
const MAX_BELOW = 2;
/** Maximum filled cells of a row above a header. */
const MAX_TITLE_CELLS = 2;
/** A column has values if this part of its cells, and this number of them, are numbers, dates or times. */
const MOSTLY = 0.8;
const FEWEST_VALUES = 3;
const MAX_LISTED = 10;
const IMPORT_ID = /^\{['"]ImportId['"]:/;
/** Cells of a second header row for a question with one column, in English exports. */
export const RESPONSE_WORDS: ReadonlySet<string> = new Set(['response', 'open-ended response']);

const NAMES = dateNames(undefined);

/** Whether a cell of a second header row names no option or row. */
export function isResponseWord(part: string): boolean {
  const key = toLooseKey(part);
  return key === '' || RESPONSE_WORDS.has(key);
}

/** Whether a cell is a number, a date or a time. */
function isValue(cell: string): boolean {
  return (
    readNumber(cell) !== undefined ||
    readTime(cell) !== undefined ||
    hasShortYear(cell) ||
    readDate(cell, 'timestamp', { names: NAMES, given: undefined }) !== undefined
  );
}

/** Looks at the first rows of a table. Headers that are repeated are found while the table is read. */
export async function findResponseRows(opened: Table, rules: RowRules): Promise<ResponseRows> {
  const first: Row[] = [];
  // An error is reported later, after the rows before it.
  await lookAhead(opened.rows(), (row) => first.push(row), START);
  const { above, header, below, repeatable, headerRows } = findStart(first, rules);
  const notRead = new Set([...above, ...repeatable].map(({ number }) => number));
  const isRepeated = createRepetition(repeatable);
  let repeated: { count: number; readonly rows: Row[] } = { count: 0, rows: [] };
  /** Number of rows that were left out since the last response. */
  let leftOut = 0;

  /** All rows of the file. The first ones are known, so a look at them does not open the file again. */
  async function* allRows(): AsyncGenerator<Row> {
    yield* first;
    yield* rowsAfter(opened, first.length);
  }

  async function* rows(): AsyncGenerator<Row> {
    repeated = { count: 0, rows: [] };
    // Earlier releases read the first row as the header, and all others as responses. Indexes stay the same.
    leftOut = above.length + repeatable.length - headerRows;
    yield* header;
    for await (const row of allRows()) {
      if (notRead.has(row.number)) continue;
      if (!isRepeated(row.cells)) {
        yield row;
        continue;
      }
      repeated.count += 1;
      leftOut += 1;
      if (repeated.rows.length < MAX_LISTED) repeated.rows.push(row);
    }
  }

  const warnings = () => [
    ...warningOf(above, above.length, ['is above', 'are above'], 'the header'),
    ...warningOf(below, below.length, ['has', 'have'], 'names or texts of the columns'),
    ...warningOf(repeated.rows, repeated.count, ['repeats', 'repeat'], 'the header'),
  ];

  return {
    table: { ...opened, rows },
    warnings,
    async *withLeftOut(responses, warn) {
      let [allLeftOut, nextIndex] = [0, 0];
      function* takeLeftOut(): Generator<FileResponse> {
        for (; leftOut > 0; leftOut -= 1) {
          yield { ...EMPTY_RESPONSE, isNoResponse: true, index: nextIndex };
          allLeftOut += 1;
          nextIndex += 1;
        }
      }
      for await (const response of responses) {
        yield* takeLeftOut();
        const index = response.index + allLeftOut;
        nextIndex = index + 1;
        yield { ...response, index };
      }
      yield* takeLeftOut();
      for (const warning of warnings()) warn(warning);
    },
  };
}

/** @param rows the first ones of `count` rows */
function warningOf(
  rows: readonly Pick<Row, 'number'>[],
  count: number,
  [singular, plural]: readonly [string, string],
  what: string,
): readonly FieldProblem[] {
  if (count === 0) return [];
  const listed = rows.slice(0, MAX_LISTED).map(({ number }) => number);
  const more = count > listed.length ? ` and ${count - listed.length} more` : '';
  const detail =
    count === 1
      ? `Row ${listed.join()} ${singular} ${what}, and is left out`
      : `Rows ${listed.join(', ')}${more} ${plural} ${what}, and are left out`;
  return [{ path: '', code: 'NOT_A_RESPONSE', detail }];
}

/** Creates a test for rows that repeat one of the header rows: in all filled cells, and in at least two columns. */
function createRepetition(headerRows: readonly Row[]): (cells: readonly string[]) => boolean {
  const known = headerRows.map(({ cells }) => cells.map((cell) => cell.trim()));
  return (cells) => {
    const first = cells.findIndex((cell) => cell !== '');
    return known.some((header) => {
      // Nearly all rows differ in their first cell.
      if (cells[first]?.trim() !== header[first]) return false;
      let same = 0;
      for (const [position, cell] of cells.entries()) {
        const text = cell.trim();
        if (text === '') continue;
        if (text !== header[position]) return false;
        same += 1;
      }
      return same >= 2;
    });
  };
}

function findStart(start: readonly Row[], rules: RowRules): TableStart {
  const at = findHeader(start, rules);
  const [above, rest] = [start.slice(0, at), start.slice(at)];
  const [first, second] = rest;
  if (first === undefined) return { above: [], header: [], repeatable: [], below: [], headerRows: 0 };
  const ofReader = rules.headerRows?.(rest);
  const canBePart = ofReader === undefined && second !== undefined && second.unread === undefined;
  if (canBePart && isPartRow(first, second, rest.slice(2), rules)) {
    return { above, header: [withParts(first, second)], repeatable: [first, second], below: [], headerRows: 1 };
  }
  const header = rest.slice(0, ofReader ?? 1);
  const below = findBelow(header, rest.slice(header.length), rules);
  return { above, header, repeatable: [...header, ...below], below, headerRows: header.length };
}

/**
 * The position of the header: the first of the rows with the most known headings. Below the first row, these must be at
 * least half of its cells. In a table that becomes a survey, it can also be the first row with at least twice as many
 * cells as the rows above it.
 */
function findHeader(start: readonly Row[], { targetsOf, payload }: RowRules): number {
  const candidates = start.slice(0, MAX_ABOVE + 1);
  const widths = candidates.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  // The rows above a header have few cells.
  const wide = widths.findIndex((width) => width > MAX_TITLE_CELLS);
  const possible = candidates.slice(0, wide === -1 ? candidates.length : wide + 1);
  const known = possible.map((row) => {
    // The option `columns` can name a column by position, even if it has no cell in this row.
    const positions = [...targetsOf(row).keys()];
    return positions.filter((position) => (row.cells[position] ?? '').trim() !== '').length;
  });
  const most = Math.max(0, ...known);
  const at = known.indexOf(most);
  const filled = widths[at] ?? 0;
  if (most >= Math.min(2, filled) && most * 2 >= filled && most > 0) return at;
  if ((known[0] ?? 0) > 0) return 0;
  const widest = widths.findIndex(
    (width, position) => position > 0 && width >= 2 * Math.max(...widths.slice(0, position)),
  );
  return payload === undefined && widest !== -1 && widest < possible.length ? widest : 0;
}

/**
 * Whether a row continues the header, as in exports of SurveyMonkey: titles are above their first part, and the cells
 * below headings of the tool are empty. The rows below have values there.
 */
function isPartRow(first: Row, second: Row, below: readonly Row[], { isAboutResponse }: RowRules): boolean {
  const titles = first.cells.map((cell) => cell.trim());
  const parts = second.cells.map((cell) => cell.trim());
  const responsePositions = titles.flatMap((title, position) =>
    title !== '' && isAboutResponse(title) ? [position] : [],
  );
  const hasResponseCell = (cells: readonly string[]) =>
    responsePositions.some((position) => (cells[position] ?? '').trim() !== '');
  if (hasResponseCell(parts)) return false;
  const words = parts.filter((part) => RESPONSE_WORDS.has(toLooseKey(part))).length;
  const filled = parts.filter((part) => part !== '').length;
  const continues = parts.some((part, position) => part !== '' && (titles[position] ?? '') === '');
  if (responsePositions.length === 0) return words >= 2 && words >= filled * MOSTLY;
  return below.some(({ cells }) => hasResponseCell(cells)) && (words > 0 || (continues && filled > 1));
}

/** A header of one row: `Title [Part]`. Columns of one question share the title of its first column. */
function withParts(first: Row, second: Row): Row {
  let title = '';
  const width = Math.max(first.cells.length, second.cells.length);
  const cells = Array.from({ length: width }, (_, position) => {
    const [heading, part] = [(first.cells[position] ?? '').trim(), (second.cells[position] ?? '').trim()];
    if (heading !== '') title = heading;
    return isResponseWord(part) ? heading : `${title} [${part}]`;
  });
  return { number: first.number, cells };
}

/** Rows directly below the header with codes or texts of the columns. */
function findBelow(header: readonly Row[], rows: readonly Row[], rules: RowRules): readonly Row[] {
  const ids = rows.findIndex(({ cells }) => cells.some((cell) => IMPORT_ID.test(cell.trim())));
  if (ids !== -1 && ids < MAX_BELOW) return rows.slice(0, ids + 1);
  const namesColumns = createNameTest(header, rules);
  const first = rows.slice(0, MAX_BELOW);
  const end = first.findIndex((row) => !namesColumns(row));
  return end === 0 ? findUnknownBelow(rows) : first.slice(0, end === -1 ? first.length : end);
}

/** Marks between the code of a question and that of a part. */
const PART_MARK = /^(?:$|[[_./])/;

/**
 * Creates a test for rows that name the columns of questions again: by their titles, ids or codes, perhaps with a part.
 * The other cells of such a row are no values.
 */
function createNameTest(header: readonly Row[], { targetsOf, payload = {} }: RowRules): (row: Row) => boolean {
  // Many columns can be of one question.
  const names = new Map(questionsOf(payload).map((question) => [String(question['id']), namesOf(question)]));
  const columns = new Map(
    header.flatMap((row) =>
      [...targetsOf(row)].map(
        ([position, target]) =>
          [position, names.get(target) ?? names.get(target.split(/\[|\.other$/, 1)[0] ?? '')] as const,
      ),
    ),
  );
  return ({ cells }) => {
    let named = 0;
    for (const [position, cell] of cells.entries()) {
      const text = cell.trim();
      if (text === '' || !columns.has(position)) continue;
      const isName = columns.get(position);
      if (isName === undefined ? isValue(text) : !isName(text)) return false;
      if (isName !== undefined) named += 1;
    }
    return named >= 2;
  };
}

/** Creates a test for texts that are a title or code of a question, or begin with it. */
function namesOf({ id, title, source_data: data }: JsonObject): (text: string) => boolean {
  const titles = textsOf(title)
    .map(toLooseKey)
    .filter((one) => one !== '');
  const { source_id: code, export_tag: tag } = isObject(data) ? data : {};
  const codes = [id, code, tag]
    .filter((one) => typeof one === 'string')
    .flatMap((one) => [one, one.slice(one.lastIndexOf('/') + 1)]);
  return (text) =>
    codes.some((one) => text.startsWith(one) && PART_MARK.test(text.slice(one.length, one.length + 1))) ||
    titles.some((one) => toLooseKey(text).startsWith(one));
}

/** Rows below a header whose texts or codes are not those of the survey. */
function findUnknownBelow(rows: readonly Row[]): readonly Row[] {
  const [first, ...more] = rows;
  if (first === undefined) return [];
  const positions = first.cells.flatMap((cell, position) => (cell.trim() === '' ? [] : [position]));
  const texts = positions.map((position) => (first.cells[position] ?? '').trim());
  // Texts of columns differ, and no column lacks one.
  if (new Set(texts).size < texts.length) return [];
  const valueColumns = columnsOfValues(more);
  const isText = (position: number) => {
    const cell = (first.cells[position] ?? '').trim();
    return cell !== '' && !isValue(cell);
  };
  return valueColumns.length >= 2 && valueColumns.every(isText) ? [first] : [];
}

/** Positions of the columns whose cells are mostly numbers, dates or times. */
function columnsOfValues(rows: readonly Row[]): readonly number[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, position) => position).filter((position) => {
    const filled = rows.map(({ cells }) => (cells[position] ?? '').trim()).filter((cell) => cell !== '');
    const values = filled.filter(isValue);
    return values.length >= FEWEST_VALUES && values.length >= filled.length * MOSTLY;
  });
}
