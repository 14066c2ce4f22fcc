import type { JsonObject } from '@bufbuild/protobuf';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { sourceDataOf } from '../source-data.ts';
import { objectsOf, questionsOf } from '../source-questions.ts';
import type { HeaderIndex } from './header-index.ts';
import type { ResponseHeader } from './responses-csv-header.ts';

/** A column whose cells can have the numbers of options in place of their texts. */
export interface NumberedColumn {
  readonly position: number;
  readonly heading: string;
  /** Whether a cell is a text or id of an option. */
  isText(cell: string): boolean;
  /** Ids of the options in the order of their numbers; undefined for the column of a single option. */
  readonly ids: readonly string[] | undefined;
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
export type Reading = 'text' | 'position' | 'same' | 'two' | 'none';

export const NUMBER = /^\d+$/;
const NUMBERS = /^\d+(?:[^\S\n]*[,;|\n]\s*\d+)*$/;
const SEPARATORS = /[,;|\n]/;
/** Readings, the most decisive first. */
const DECIDING: readonly Reading[] = ['text', 'position', 'two', 'none', 'same'];

/** Finds the columns of a table whose cells can have numbers of options. */
export function numberedColumns(
  { answerColumns, choiceColumns }: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): readonly NumberedColumn[] {
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const single = answerColumns.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const { question_id: id, holds, items, kind } = target.column;
    const question = questions.get(id);
    if (question === undefined) return [];
    const find = index.itemsOf(id);
    const base = { position: column.position, heading: column.heading, pattern: NUMBER, isEvidence: true };
    if (isWeightScale(question)) {
      const problem = 'some options have other weights than their positions';
      return [{ ...base, isEvidence: false, isText: () => false, ids: [], problem }];
    }
    const item = items.at(-1);
    if (kind === 'flag' && item !== undefined) {
      const isText = (cell: string) => find(item.list, cell).includes(item.id);
      const list = objectsOf(question[item.list]);
      const isKnown = problemOf(question, item.list, list) === undefined;
      const number = isKnown ? list.findIndex((one) => one['id'] === item.id) + 1 : undefined;
      return [{ ...base, isText, ids: undefined, problem: undefined, number }];
    }
    if (holds === undefined) return [];
    const list = objectsOf(question[holds]);
    const isText = (cell: string) => find(holds, cell).length > 0;
    const problem = problemOf(question, holds, list);
    const ids = list.map((one) => String(one['id']));
    return withNumberTexts({ ...base, isText, ids, problem }, question, holds);
  });
  const several = choiceColumns.flatMap(({ column, target }): readonly NumberedColumn[] => {
    const find = index.itemsOf(target.questionId);
    const list = target.row === undefined ? 'options' : 'columns';
    const base = {
      position: column.position,
      heading: column.heading,
      pattern: NUMBERS,
      isEvidence: true,
      isText: (cell: string) => find(list, cell).length > 0,
      ids: [],
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
    for (const text of texts) positionsByText.set(text, (positionsByText.get(text) ?? new Set()).add(at + 1));
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
