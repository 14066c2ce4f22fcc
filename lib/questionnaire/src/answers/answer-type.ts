import type { CellFormat } from '../columns/cell-format.ts';
import type { JsonObject } from '../json.ts';
import type { Operand } from '../logic/operand.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';
import type { AnswerCode } from './answer-codes.ts';
import type { AnswerValue } from './answer-value.ts';
import type { CountingRule } from './counting-rule.ts';
import type { QuestionMembers } from './question-members.ts';

/** The error of a value that is not a valid answer. */
export interface Rejection {
  readonly code: AnswerCode;
  readonly detail: string;
}

export function rejection(code: AnswerCode, detail: string): Rejection {
  return { code, detail };
}

/** A normalised answer, undefined if the value turned out to be empty; or an error. */
export type Checked = { readonly value: AnswerValue | undefined } | Rejection;

export function isRejection(result: object): result is Rejection {
  return 'code' in result;
}

/** Data of a response that the check of an answer needs, besides its question. */
export interface AnswerContext {
  /** Language tag of the respondent, if known. */
  readonly language: string | undefined;
}

/** Rules for the answers to one question. Created when the definition is compiled. */
export interface AnswerRules {
  /**
   * Validates and normalises any JSON value, except unanswered ones (`isUnanswered`). A normalised answer is returned
   * unchanged.
   */
  check(value: unknown, context: AnswerContext): Checked;
  /** The most steps that `check` takes for a text of this length. Default: none. See `AnswerSteps`. */
  readonly steps?: ((length: number) => number) | undefined;
  /** Converts values of imports to the form that `check` accepts. Other values are returned unchanged. */
  coerce(value: unknown, context: AnswerContext): { readonly value: unknown } | Rejection;
  /** Whether a normalised answer names an option, row or column that is no longer offered. Undefined if all are. */
  readonly namesInactive?: ((value: AnswerValue) => boolean) | undefined;
  /** The error detail if an answer is incomplete for a required question, such as missing rows. */
  missing?(value: AnswerValue): string | undefined;
  /**
   * JSON Schema of an answer that `check` accepts, as far as JSON Schema can express it. If the question is required,
   * the schema also requires a complete answer.
   */
  jsonSchema(required: boolean): JsonObject;
  /** The way in which conditions read an answer. */
  readonly operand: Operand;
  /** The format of an answer in CSV cells. */
  readonly cells: CellFormat;
  /** The way to count answers in summaries. */
  readonly countingRule: CountingRule;
  /** Requirements on uploaded files, if the question takes files. */
  readonly files?: FileRules;
}

/** The requirements of a question on files. The upload service checks them. */
export interface FileRules {
  /** Maximum size of one file in bytes; undefined means the limit of the platform. */
  readonly maxBytes: number | undefined;
  /** Accepted media types (`image/png`, `image/*`) and file extensions (`.pdf`) in lower case; empty accepts all. */
  readonly accept: readonly string[];
}

/**
 * Reads the members of a question of this type, and returns the rules for answers. Reports errors in members, and then
 * makes the rules as if these members were absent.
 */
export type ReadAnswerRules<Type extends QuestionTypeName> = (members: QuestionMembers<Type>) => AnswerRules;
