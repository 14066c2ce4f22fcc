import type { CellFormat } from '../columns/cell-format.ts';
import type { Operand } from '../logic/operand.ts';
import type { AnswerCode } from './answer-codes.ts';
import type { AnswerValue } from './answer-value.ts';
import type { Countable } from './countable.ts';
import type { QuestionMembers } from './question-members.ts';

/** Why a value is not an answer to its question. */
export interface Refusal {
  readonly code: AnswerCode;
  readonly detail: string;
}

export const refuse = (code: AnswerCode, detail: string): Refusal => ({ code, detail });

/** A normalised answer (undefined: on closer look there was none), or why it is none. */
export type Checked = { readonly value: AnswerValue | undefined } | Refusal;

export const isRefusal = (result: object): result is Refusal => 'code' in result;

/** What one question does with answers; made once, when the definition is compiled. */
export interface AnswerRules {
  /** Takes any JSON value that is not unanswered; a value that it gave itself comes back deep-equal. */
  check(value: unknown): Checked;
  /** What an import may write differently, brought to what `check` takes; anything else comes back as it is. */
  coerce(value: unknown): { readonly value: unknown } | Refusal;
  /** What an answer lacks for a required question to count as answered; rows, in practice. */
  missing?(value: AnswerValue): string | undefined;
  /** How conditions look at an answer. */
  readonly operand: Operand;
  /** How an answer is spread over CSV cells. */
  readonly cells: CellFormat;
  /** What of its answers can be counted. */
  readonly countable: Countable;
  /** What the files of its answers must be like, when it takes files. */
  readonly files?: FileRules;
}

/** What a question says of files; whether they are so is for whoever stores them to check. */
export interface FileRules {
  /** Length of one file at the most, in bytes; undefined when the question sets no limit. */
  readonly maxBytes: number | undefined;
  /** Media types (`image/png`, `image/*`) and endings (`.pdf`) in lower case, one of which it has to have; empty when any will do. */
  readonly accept: readonly string[];
}

/**
 * A question type: reads the members of its own, reports what is wrong with them, and gives the rules.
 * A member that cannot be used counts as not given.
 */
export type AnswerType = (members: QuestionMembers) => AnswerRules;
