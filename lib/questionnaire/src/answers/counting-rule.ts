import type { AnswerValue, FileReference, RowAnswers } from './answer-value.ts';

/** The way to count the answers to a question. The functions take normalised answers. */
export type CountingRule =
  | {
      readonly kind: 'choices';
      /** Option ids in order; the last is `other` if the question allows it. */
      readonly options: readonly string[];
      chosen(answer: AnswerValue): readonly string[];
    }
  | {
      readonly kind: 'numbers';
      /** The numbers that can be chosen, in order; undefined if there are too many to list. */
      readonly scale?: readonly number[] | undefined;
      toNumber(answer: AnswerValue): number;
    }
  | {
      readonly kind: 'rows';
      readonly rows: readonly string[];
      /** Ids of the options or columns that can be chosen in each row. */
      readonly options: readonly string[];
      chosenByRow(answer: AnswerValue): readonly (readonly [row: string, chosen: readonly string[]])[];
    }
  /** Days, `YYYY-MM-DD`. */
  | { readonly kind: 'dates' }
  /** Times of day, `HH:MM` or `HH:MM:SS`. */
  | { readonly kind: 'times' }
  | { readonly kind: 'files'; fileCount(answer: AnswerValue): number }
  /** Only the number of answers. */
  | { readonly kind: 'presence' };

export const presenceRule: CountingRule = { kind: 'presence' };

export const numberRule: CountingRule = { kind: 'numbers', toNumber: Number };

export const dateRule: CountingRule = { kind: 'dates' };

export const timeRule: CountingRule = { kind: 'times' };

export const fileRule: CountingRule = {
  kind: 'files',
  // Questions for files have only answers of this shape.
  fileCount: (answer) => (answer as readonly FileReference[]).length,
};

export function numbersOn(scale: readonly number[] | undefined): CountingRule {
  return { kind: 'numbers', scale, toNumber: Number };
}

export function choicesOf(
  options: readonly string[],
  chosen: (answer: AnswerValue) => readonly string[],
): CountingRule {
  return { kind: 'choices', options, chosen };
}

export function rowsOf(rows: readonly string[], options: readonly string[]): CountingRule {
  return {
    kind: 'rows',
    rows,
    options,
    chosenByRow: (answer) =>
      // Questions with rows have only answers of this shape.
      Object.entries(answer as RowAnswers).map(([row, chosen]) => [
        row,
        typeof chosen === 'string' ? [chosen] : chosen,
      ]),
  };
}
