import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import { rowsAfter, type Table } from '../../tables/open-table.ts';
import { addToSet, getOrAdd } from '../maps.ts';
import { sourceDataOf } from '../source-data.ts';
import { objectsOf, questionsOf } from '../source-questions.ts';
import { textsOf } from '../texts.ts';
import type { HeaderIndex } from './header-index.ts';
import { cutHeading } from './headings.ts';
import type { ResponseHeader } from './match-headers.ts';

/** Converts the cells of a row with numbers of options to texts of options. */
type ConvertNumbers = (cells: readonly string[]) => readonly string[];

/** The conversion of tables without numbers of options. */
export const NO_NUMBERS: ConvertNumbers = (cells) => cells;

/** The numbers in the cells of a column. */
interface SeenNumbers {
  /** The first row with a number. */
  readonly row: number;
  readonly highest: number;
  readonly lowest: number;
}

/** The cells with numbers in a table. */
interface SeenTable {
  readonly numbers: ReadonlyMap<number, SeenNumbers>;
  /** First rows by column and reading, for options with numbers as texts. */
  readonly readings: ReadonlyMap<NumberedColumn, ReadonlyMap<Reading, number>>;
  /**
   * Whether a column for one option has a 1, although the option is not the first one. Then 1 is not the number of the
   * option, so the table marks chosen options with 1.
   */
  readonly isMarked: boolean;
}

const ADVICE = 'export again with "Actual answer text" in the cells, or import the JSON';

/**
 * Finds out whether a table has numbers in place of the texts of options, such as `2` for the second option. This is so
 * if some cells of its columns of choices have numbers, and none has the text of an option. Throws `INVALID_IMPORT` if
 * the positions are unknown, for example because some options are hidden, or if a number can be a text or a position.
 */
export async function createNumberConverter(
  table: Table,
  header: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): Promise<ConvertNumbers> {
  const columns = numberedColumns(header, payload, index);
  if (columns.length === 0) return NO_NUMBERS;
  const seen = await lookAtCells(table, columns);
  if (seen === undefined) return NO_NUMBERS;
  const { numbers } = seen;
  const withNumbers = columns.filter(({ position }) => numbers.has(position));
  if (!isNumbered(withNumbers, seen)) {
    const problems = ambiguousColumns(seen);
    if (problems.length > 0) throw invalidImport(problems);
    return NO_NUMBERS;
  }
  const problems = withNumbers.flatMap((column) => unknownPositions(column, numbers.get(column.position)));
  if (problems.length > 0) throw invalidImport(problems);
  return (cells) => {
    const converted = [...cells];
    for (const column of withNumbers) {
      const { position, texts } = column;
      const cell = markOf(column, (cells[position] ?? '').trim());
      if (!NUMBER.test(cell)) continue;
      converted[position] = texts === undefined ? (Number(cell) > 0 ? '1' : '') : (texts[Number(cell) - 1] ?? cell);
    }
    return converted;
  };
}

/** The problem of a column whose numbers cannot be converted, or are no positions of options. */
function unknownPositions(column: NumberedColumn, seen: SeenNumbers | undefined): readonly FieldProblem[] {
  const { texts, problem } = column;
  const { row = 1, lowest = 1, highest = 1 } = seen ?? {};
  const isOutside = texts !== undefined && (lowest < 1 || highest > texts.length);
  const reason = problem ?? (isOutside ? `the question has the options 1 to ${texts.length}` : undefined);
  if (reason === undefined) return [];
  const detail = `the cells have numbers in place of the texts of options, and ${reason}; ${ADVICE}`;
  return [problemAt(column, row, detail)];
}

/** The cell. In the column of a single option, the text of the option marks it like a 1. */
function markOf({ texts, isText }: NumberedColumn, cell: string): string {
  return texts === undefined && isText(cell) ? '1' : cell;
}

/** Looks at all cells; undefined if one has the text of an option that is no number. */
async function lookAtCells(table: Table, columns: readonly NumberedColumn[]): Promise<SeenTable | undefined> {
  const numbers = new Map<number, SeenNumbers>();
  const readings = new Map<NumberedColumn, Map<Reading, number>>();
  let isMarked = false;

  function addNumber(column: NumberedColumn, cell: string, row: number): void {
    const reading = column.readingOf?.(cell);
    // Both readings give the same option, so the number decides nothing.
    if (reading === 'same') return;
    if (reading !== undefined) {
      const firstRows = getOrAdd(readings, column, () => new Map<Reading, number>());
      getOrAdd(firstRows, reading, () => row);
    }
    const value = Number(cell);
    isMarked ||= column.texts === undefined && value === 1 && (column.number ?? 1) > 1;
    const before = numbers.get(column.position);
    numbers.set(column.position, {
      row: before?.row ?? row,
      highest: Math.max(before?.highest ?? 0, value),
      lowest: Math.min(before?.lowest ?? value, value),
    });
  }

  try {
    for await (const { cells, number: row } of rowsAfter(table, 1)) {
      for (const column of columns) {
        const cell = markOf(column, (cells[column.position] ?? '').trim());
        if (cell === '') continue;
        if (!NUMBER.test(cell) && column.isText(cell)) return undefined;
        if (column.pattern.test(cell)) addNumber(column, cell, row);
      }
    }
  } catch (error) {
    // The error is reported later, after the rows before it.
    if (!(error instanceof AppError)) throw error;
  }
  return { numbers, readings, isMarked };
}

/**
 * Whether the numbers of a table are positions. The first case that occurs in it decides:
 *
 * | case | numbers are |
 * |---|---|
 * | above 1 in a column for one option, or any number in a column whose options have no numbers as texts | positions |
 * | a column for one option, which is not the first one, has a 1 (`isMarked`) | texts |
 * | a number is only the text of an option | texts |
 * | a number is only the position of an option | positions |
 * | a number is the text of an option and the position of another one | unknown: the file is rejected |
 */
function isNumbered(withNumbers: readonly NumberedColumn[], { numbers, readings, isMarked }: SeenTable): boolean {
  // A single option can be marked with 1, in any kind of table.
  const isSure = withNumbers.some(
    ({ texts, isEvidence, position }) =>
      isEvidence && (texts !== undefined || (numbers.get(position)?.highest ?? 0) > 1),
  );
  const has = (reading: Reading) => [...readings.values()].some((rows) => rows.has(reading));
  return isSure || (!isMarked && !has('text') && has('position'));
}

/** Problems of columns whose numbers are texts of options and positions of others, if no other column decides. */
function ambiguousColumns({ readings, isMarked }: SeenTable): readonly FieldProblem[] {
  if (isMarked || [...readings.values()].some((rows) => rows.has('text'))) return [];
  const detail =
    'the numbers in the cells can be texts of options or their positions, and no other column decides; import the JSON';
  return [...readings].flatMap(([column, rows]) => {
    const row = rows.get('two');
    return row === undefined ? [] : [problemAt(column, row, detail)];
  });
}

function problemAt({ heading }: NumberedColumn, row: number, detail: string): FieldProblem {
  const column = cutHeading(heading);
  return { path: '', code: 'NUMBERED_OPTIONS', detail: `row ${row}, column ${column}: ${detail}` };
}

/** A column whose cells can have the numbers of options in place of their texts. */
interface NumberedColumn {
  readonly position: number;
  readonly heading: string;
  /** Whether a cell is the text of an option. */
  isText(cell: string): boolean;
  /** Texts of the options in the order of their numbers; undefined for the column of a single option. */
  readonly texts: readonly string[] | undefined;
  /** Matches a cell with numbers. */
  readonly pattern: RegExp;
  /** Whether a number in its cells proves that the table has numbers in place of the texts of options. */
  readonly isEvidence: boolean;
  /** Reason why the numbers cannot be converted; undefined if they can. */
  readonly problem: string | undefined;
  /** Interprets a cell with numbers. Set only if some options have numbers as texts. */
  readonly readingOf?: (cell: string) => Reading;
  /** Number of the option in the column of a single option, if it is known. */
  readonly number?: number | undefined;
}

/**
 * The meaning of a number in a cell: only the `text` of an option, only the `position` of one, both of the `same`
 * option, or the text of one and the position of another (`two`).
 */
type Reading = 'text' | 'position' | 'same' | 'two' | 'none';

const NUMBER = /^\d+$/;
const NUMBERS = /^\d+(?:[^\S\n]*[,;|\n]\s*\d+)*$/;
const SEPARATORS = /[,;|\n]/;
/** Readings, the most decisive first. */
const DECIDING: readonly Reading[] = ['text', 'position', 'two', 'none', 'same'];

/** Finds the columns of a table whose cells can have numbers of options. */
function numberedColumns(
  { answerColumns, choiceColumns }: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): readonly NumberedColumn[] {
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const single = answerColumns.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const { question_id: id, holds, items, kind } = target.column;
    const question = questions.get(id);
    if (question === undefined) return [];
    const find = index.itemFinderOf(id);
    const base = { position: column.position, heading: column.heading, pattern: NUMBER, isEvidence: true };
    if (isWeightScale(question)) {
      const problem = 'some options have other weights than their positions';
      return [{ ...base, isEvidence: false, isText: () => false, texts: [], problem }];
    }
    const item = items.at(-1);
    if (kind === 'flag' && item !== undefined) {
      const isText = (cell: string) => find(item.list, cell, 'never').includes(item.id);
      const list = objectsOf(question[item.list]);
      const isKnown = problemOf(question, item.list, list) === undefined;
      const number = isKnown ? list.findIndex((one) => one['id'] === item.id) + 1 : undefined;
      return [{ ...base, isText, texts: undefined, problem: undefined, number }];
    }
    if (holds === undefined) return [];
    const list = objectsOf(question[holds]);
    const isText = (cell: string) => find(holds, cell, 'never').length > 0;
    const texts = list.map((one) => textsOf(one['text'])[0] ?? '');
    const isUnique = texts.every((text) => find(holds, text, 'never').length === 1);
    const problem = problemOf(question, holds, list) ?? (isUnique ? undefined : 'some options have the same text');
    return withNumberTexts({ ...base, isText, texts, problem }, question, holds);
  });
  const several = choiceColumns.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const find = index.itemFinderOf(target.questionId);
    const list = target.row === undefined ? 'options' : 'columns';
    const base = {
      position: column.position,
      heading: column.heading,
      pattern: NUMBERS,
      isEvidence: true,
      isText: (cell: string) => find(list, cell, 'never').length > 0,
      texts: [],
      problem: 'several can be in a cell',
    };
    return withNumberTexts(base, questions.get(target.questionId), list);
  });
  return [...single, ...several];
}

/**
 * Adds the reading of numbers to a column of options with numbers as texts. A column is left out if each text is the
 * position of its option, such as for ranks: then both readings are the same.
 */
function withNumberTexts(
  column: NumberedColumn,
  question: JsonObject | undefined,
  list: ListName,
): readonly NumberedColumn[] {
  const options = itemsOf(question?.[list]).flatMap((item) => toOption(item) ?? []);
  const positions = options.map(({ texts }) => texts.map((text) => text.trim()).filter((text) => NUMBER.test(text)));
  if (positions.every((texts) => texts.length === 0)) return [column];
  const isPosition = (texts: readonly string[], at: number) =>
    texts.length > 0 && texts.every((text) => Number(text) === at + 1);
  if (positions.every(isPosition)) return [];
  const positionsByText = new Map<string, Set<number>>();
  for (const [at, texts] of positions.entries()) {
    for (const text of texts) addToSet(positionsByText, text, at + 1);
  }
  const readOne = (number: string): Reading => {
    const textPositions = positionsByText.get(number);
    const hasPosition = positions.length >= Number(number) && Number(number) > 0;
    if (textPositions === undefined) return hasPosition ? 'position' : 'none';
    if (!hasPosition) return 'text';
    return textPositions.has(Number(number)) ? 'same' : 'two';
  };
  return [{ ...column, isEvidence: false, readingOf: (cell) => readAll(cell.split(SEPARATORS), readOne) }];
}

/** The reading that decides about all numbers of a cell. */
function readAll(numbers: readonly string[], readOne: (number: string) => Reading): Reading {
  const found = new Set(numbers.map((number) => readOne(number.trim())));
  return DECIDING.find((reading) => found.has(reading)) ?? 'none';
}

/** The reason why the positions of options are not their numbers in the file; undefined if they are. */
function problemOf(question: JsonObject, list: ListName, items: readonly JsonObject[]): string | undefined {
  if (
    items.length < itemsOf(question[list]).length ||
    items.some((item) => sourceDataOf(item)['source_id'] === undefined)
  ) {
    return 'their order is only known for a survey that was imported from the tool';
  }
  if (items.some((item) => item['inactive'] === true)) return 'some options are hidden';
  const hasOtherNumbers = items.some((item, position) => {
    const { weight, is_na: isNone } = sourceDataOf(item);
    return isNone === true || (typeof weight === 'number' && weight !== position + 1);
  });
  return hasOtherNumbers ? 'some options have other weights than their positions' : undefined;
}

/** Whether a question is a rating whose numbers are weights of options, and not their positions. */
function isWeightScale({ type, min = 1, source_data: sourceData }: JsonObject): boolean {
  return type === 'rating' && min !== 1 && isObject(sourceData) && sourceData['weights'] !== undefined;
}
