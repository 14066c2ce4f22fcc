import type { Refusal } from '../answers/answer-type.ts';
import { type AnswerValue, OTHER } from '../answers/answer-value.ts';

/** One of the lists that a question can have. */
export type ListName = 'options' | 'rows' | 'columns';

/** What one CSV column of a question is about. */
interface CellColumn {
  /** What follows the question id in its name: ``, `[option]`, `[row][column]` or `.other`. */
  readonly suffix: string;
  /** The option, row and column that the suffix names, in its order. */
  readonly items: readonly ListItem[];
  /** The list whose ids stand in its cells; undefined where they hold something else. */
  readonly holds?: ListName;
  /** Whether its cells hold numbers that were checked as such. */
  readonly isNumber?: true;
}

/** An item of a list by its id. */
export interface ListItem {
  readonly list: ListName;
  readonly id: string;
}

/** How the answers to one question are spread over CSV cells, and read back from them. */
export interface CellFormat {
  columns(): readonly CellColumn[];
  /** One cell for each column; empty where there is nothing. */
  toCells(answer: AnswerValue): readonly string[];
  /** The answer that cells stand for, still to be coerced and checked; undefined when they are all empty. */
  fromCells(cells: readonly string[]): { readonly value: unknown } | Refusal;
}

/** The suffix of the column for texts of own wording. */
export const OTHER_SUFFIX = '.other';

/** The column for texts of own wording. */
export const OTHER_COLUMN: CellColumn = { suffix: OTHER_SUFFIX, items: [{ list: 'options', id: OTHER }] };

/** The column for one item of a list, or for where two meet. */
export const columnOf = (items: readonly ListItem[], holds?: ListName): CellColumn => ({
  suffix: items.map(({ id }) => `[${id}]`).join(''),
  items,
  ...(holds === undefined ? {} : { holds }),
});
