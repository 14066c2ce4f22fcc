import type { Rejection } from '../answers/answer-type.ts';
import { type AnswerValue, OTHER } from '../answers/answer-value.ts';

export type ListName = 'options' | 'rows' | 'columns';

/** The value in each cell of a column, if it is neither a text nor the id of an item. Flags are 1 or empty. */
export type CellKind = 'number' | 'flag' | 'date' | 'time';

/** One CSV column of a question. */
interface CellColumn {
  /** Follows the question id in the column name: ``, `[option]`, `[row][column]` or `.other`. */
  readonly suffix: string;
  /** The option, row and column in the suffix, in order. */
  readonly items: readonly ListItem[];
  /** The list whose ids the cells contain; undefined for other content. */
  readonly holds?: ListName;
  /** The kind of validated values in the cells; undefined for texts and ids. */
  readonly kind?: CellKind;
}

export interface ListItem {
  readonly list: ListName;
  readonly id: string;
}

/** Converts answers of one question to CSV cells and back. */
export interface CellFormat {
  columns(): readonly CellColumn[];
  /** Returns one cell per column; unanswered parts are empty. */
  toCells(answer: AnswerValue): readonly string[];
  /** Reads an answer that still needs coercion and checks. The value is undefined when all cells are empty. */
  fromCells(cells: readonly string[]): { readonly value: unknown } | Rejection;
}

export const OTHER_SUFFIX = '.other';

/** The column for the text of `other`. */
export const OTHER_COLUMN: CellColumn = { suffix: OTHER_SUFFIX, items: [{ list: 'options', id: OTHER }] };

/** The column for one item of a list, or for a row and a column. */
export function columnOf(items: readonly ListItem[], holds?: ListName): CellColumn {
  return {
    suffix: items.map(({ id }) => `[${id}]`).join(''),
    items,
    ...(holds === undefined ? {} : { holds }),
  };
}
