import type { AnswerValue, RowAnswers } from './answer-value.ts';

/** What of the answers to one question can be counted. The functions take what `validate` gave for the question. */
export type Countable =
  | {
      readonly kind: 'choices';
      /** Ids of the options in their order; the last is `other` where texts of own wording are allowed. */
      readonly options: readonly string[];
      chosen(answer: AnswerValue): readonly string[];
    }
  | { readonly kind: 'numbers'; toNumber(answer: AnswerValue): number }
  | {
      readonly kind: 'rows';
      readonly rows: readonly string[];
      /** Ids of what can be chosen in each row. */
      readonly options: readonly string[];
      chosenByRow(answer: AnswerValue): readonly (readonly [row: string, chosen: readonly string[]])[];
    }
  /** Only whether there is an answer. */
  | { readonly kind: 'presence' };

export const presence: Countable = { kind: 'presence' };

export const numbers: Countable = { kind: 'numbers', toNumber: Number };

export const choicesOf = (
  options: readonly string[],
  chosen: (answer: AnswerValue) => readonly string[],
): Countable => ({ kind: 'choices', options, chosen });

export const rowsOf = (rows: readonly string[], options: readonly string[]): Countable => ({
  kind: 'rows',
  rows,
  options,
  chosenByRow: (answer) =>
    // The rules of questions with rows give nothing else.
    Object.entries(answer as RowAnswers).map(([row, chosen]) => [row, typeof chosen === 'string' ? [chosen] : chosen]),
});
