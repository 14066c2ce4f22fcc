import type { JsonObject } from '@bufbuild/protobuf';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../files/invalid-import.ts';
import type { HeaderIndex } from '../headers/header-index.ts';
import { questionsOf } from '../shared/payload-questions.ts';
import { sourceDataOf } from '../shared/source-data.ts';
import type { Table } from '../tables/open-table.ts';
import type { ResponseHeader } from './responses-csv-header.ts';

/** Converts the cells of a row with numbers of options to ids of options. */
type ConvertNumbers = (cells: readonly string[]) => readonly string[];

/** A column whose cells can have numbers of options. */
interface NumberedColumn {
  readonly position: number;
  readonly heading: string;
  /** Whether a cell is a text or id of an option. */
  isText(cell: string): boolean;
  /** Ids of the options in the order of their numbers; undefined for the column of a single option. */
  readonly ids: readonly string[] | undefined;
  readonly pattern: RegExp;
  /** Whether numbers in its cells show that the table has numbers of options. */
  readonly isEvidence: boolean;
  /** Reason why the numbers cannot be converted; undefined if they can. */
  readonly problem: string | undefined;
}

const NUMBER = /^\d+$/;
const NUMBERS = /^\d+(?:[^\S\n]*[,;|\n]\s*\d+)*$/;
const MAX_HEADING = 200;
const ADVICE = 'export again with "Actual answer text" in the cells, or import the JSON';

/**
 * Finds out whether a table has numbers in place of the texts of options: in all of its columns of choices, no cell has
 * the text of an option, and some have numbers. Then the numbers are positions of options. Throws `INVALID_IMPORT` if
 * these are not sure, for example because some options are hidden.
 */
export async function learnNumbers(
  table: Table,
  header: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): Promise<ConvertNumbers> {
  const columns = numberedColumns(header, payload, index);
  if (columns.length === 0) return (given) => given;
  const numbers = new Map<number, { row: number; highest: number; lowest: number }>();
  let isFirst = true;
  try {
    for await (const { cells, number: row } of table.rows()) {
      if (isFirst) {
        isFirst = false;
        continue;
      }
      for (const column of columns) {
        const cell = (cells[column.position] ?? '').trim();
        if (cell === '') continue;
        if (!column.pattern.test(cell)) {
          if (column.isText(cell)) return (given) => given;
          continue;
        }
        const seen = numbers.get(column.position) ?? { row, highest: 0, lowest: Number.POSITIVE_INFINITY };
        seen.highest = Math.max(seen.highest, Number(cell));
        seen.lowest = Math.min(seen.lowest, Number(cell));
        numbers.set(column.position, seen);
      }
    }
  } catch (error) {
    // The error is reported later, after the rows before it.
    if (!(error instanceof AppError)) throw error;
  }
  const used = columns.filter(({ position }) => numbers.has(position));
  // A single option can be marked with 1, in any kind of table.
  const isNumbered = used.some(
    ({ ids, isEvidence, position }) => isEvidence && (ids !== undefined || (numbers.get(position)?.highest ?? 0) > 1),
  );
  if (!isNumbered) return (given) => given;
  const problems = used.flatMap(({ position, heading, ids, problem }): readonly FieldProblem[] => {
    const { row = 1, lowest = 1, highest = 1 } = numbers.get(position) ?? {};
    const isOutside = ids !== undefined && (lowest < 1 || highest > ids.length);
    const reason = problem ?? (isOutside ? `the question has the options 1 to ${ids.length}` : undefined);
    if (reason === undefined) return [];
    const detail = `row ${row}, column ${heading.slice(0, MAX_HEADING).toWellFormed()}: the cells have numbers in place of the texts of options, and ${reason}; ${ADVICE}`;
    return [{ path: '', code: 'NUMBERED_OPTIONS', detail }];
  });
  if (problems.length > 0) throw invalidImport(problems);
  return (cells) => {
    const converted = [...cells];
    for (const { position, ids } of used) {
      const cell = (cells[position] ?? '').trim();
      if (!NUMBER.test(cell)) continue;
      converted[position] = ids === undefined ? (Number(cell) > 0 ? '1' : '') : (ids[Number(cell) - 1] ?? cell);
    }
    return converted;
  };
}

function numberedColumns(
  { answered, choices }: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): readonly NumberedColumn[] {
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const single = answered.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const { question_id: id, holds, items, kind } = target.column;
    const question = questions.get(id);
    if (question === undefined) return [];
    const find = index.itemsOf(id);
    const base = { position: column.position, heading: column.heading, pattern: NUMBER, isEvidence: true };
    if (isOtherScale(question)) {
      const problem = 'some options have other weights than their positions';
      return [{ ...base, isEvidence: false, isText: () => false, ids: [], problem }];
    }
    const item = items.at(-1);
    if (kind === 'flag' && item !== undefined) {
      const isText = (cell: string) => find(item.list, cell).includes(item.id);
      return [{ ...base, isText, ids: undefined, problem: undefined }];
    }
    if (holds === undefined) return [];
    const list = itemsOf(question[holds]).filter((one) => isObject(one)) as readonly JsonObject[];
    const isText = (cell: string) => find(holds, cell).length > 0;
    // Numbers are texts of these options, such as ranks.
    if (hasNumbers(question, holds)) return [];
    return [{ ...base, isText, ids: list.map((one) => String(one['id'])), problem: problemOf(question, holds, list) }];
  });
  const several = choices.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const find = index.itemsOf(target.questionId);
    const list = target.row === undefined ? 'options' : 'columns';
    if (hasNumbers(questions.get(target.questionId), list)) return [];
    return [
      {
        position: column.position,
        heading: column.heading,
        pattern: NUMBERS,
        isEvidence: true,
        isText: (cell) => find(list, cell).length > 0,
        ids: [],
        problem: 'several can be in a cell',
      },
    ];
  });
  return [...single, ...several];
}

/** The reason why the positions of options are not their numbers in the file. */
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
function isOtherScale({ type, min = 1, source_data: kept }: JsonObject): boolean {
  return type === 'rating' && min !== 1 && isObject(kept) && kept['weights'] !== undefined;
}

/** Whether a text in a list of a question is a number. */
function hasNumbers(question: JsonObject | undefined, list: ListName): boolean {
  return itemsOf(question?.[list]).some((one) => isNumber(isObject(one) ? one['text'] : one));
}

/** Whether a text is a number in one of its languages. */
function isNumber(text: unknown): boolean {
  const texts = typeof text === 'string' ? [text] : isObject(text) ? Object.values(text) : [];
  return texts.some((one) => typeof one === 'string' && NUMBER.test(one.trim()));
}
