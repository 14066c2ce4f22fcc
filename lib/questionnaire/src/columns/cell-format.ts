import type { Refusal } from '../answers/answer-type.ts';
import type { AnswerValue } from '../answers/answer-value.ts';

/** How the answers to one question are spread over CSV cells, and read back from them. */
export interface CellFormat {
  /** What follows the question id in the name of each column: ``, `[option]`, `[row][column]` or `.other`. */
  suffixes(): readonly string[];
  /** One cell for each suffix; empty where there is nothing. */
  toCells(answer: AnswerValue): readonly string[];
  /** The answer that cells stand for, still to be coerced and checked; undefined when they are all empty. */
  fromCells(cells: readonly string[]): { readonly value: unknown } | Refusal;
}

/** The suffix of the column for texts of own wording. */
export const OTHER_SUFFIX = '.other';
