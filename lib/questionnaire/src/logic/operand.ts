import type { AnswerValue } from '../answers/answer-value.ts';
import type { OptionList } from '../answers/option-list.ts';
import type { CompilePattern } from '../answers/patterns/limit-patterns.ts';
import { toNfc } from '../answers/plain-text.ts';
import type { LintCode } from '../lint/lint-codes.ts';

/** The parsed value of a condition: an option id, a text, a date or time, or a number. */
export type Literal = string | number;

/**
 * The forms of an answer that conditions need. They are made once for all conditions of one evaluation: making them for
 * each would cost the product of conditions and answer.
 */
export interface AnswerForms {
  scalar?: Literal;
  chosen?: ReadonlySet<string>;
  /** The text without differences in case. */
  folded?: string;
}

/** Tests existing answers. */
export interface Test {
  holds(answer: AnswerValue, forms: AnswerForms): boolean;
  /** The most steps that a test of an answer takes. `size` is the number of its characters or chosen options. */
  steps(size: number): number;
}

/** The fault of a condition that does not fit its question. */
export interface Fault {
  readonly code: Extract<
    LintCode,
    'UNKNOWN_OPTION' | 'AMBIGUOUS_OPTION' | 'BAD_VALUE' | 'BAD_PATTERN' | 'BAD_OPERATOR'
  >;
  readonly detail: string;
}

export function isFault(result: object | Literal): result is Fault {
  return typeof result === 'object' && 'code' in result;
}

/**
 * The way in which conditions read the answers to one question. An operator is not supported if a member that it needs
 * is missing: without `ordered`, there is no greater_than.
 */
export interface Operand {
  /** Largest size of an answer, in characters or chosen options. */
  readonly maxSize: number;
  /** Whether values are options: an id, or a text that stands for an id. */
  readonly hasOptions?: true;
  /** JSON type of the answers; undefined if a condition can have texts and numbers. */
  readonly jsonType?: 'string' | 'number';
  /** Whether no answer has the value (`exact`), or whether all answers are on one side of it. */
  isOutOfRange?(literal: Literal, exact: boolean): boolean;
  /** Parses a value of a condition. */
  literal?(value: unknown): Literal | Fault;
  /** The scalar that `equals`, `in` and the comparisons use. */
  scalar?(answer: AnswerValue): Literal;
  /** The chosen ids that `contains`, `equals` and `in` use, for questions with several choices. */
  chosenIds?(answer: AnswerValue): readonly string[];
  /** Whether scalars can be compared by order. */
  readonly ordered?: true;
  /** The text that `contains` and `matches` search. */
  text?(answer: AnswerValue): string;
  /** Compiles a pattern for `matches`. */
  pattern?(pattern: string): ReturnType<CompilePattern>;
}

/** For answers that conditions can only test for presence. */
export const presenceOperand: Operand = { maxSize: 1 };

/** @param otherId the id of the option `other`, if the question allows it */
export function optionOperand(
  options: OptionList,
  otherId: string | undefined,
  scalar: (answer: AnswerValue) => string,
): Operand {
  return {
    maxSize: 1,
    hasOptions: true,
    jsonType: 'string',
    literal: (value) => optionLiteral(value, options, otherId),
    scalar,
  };
}

export function choicesOperand(
  options: OptionList,
  otherId: string | undefined,
  chosenIds: (answer: AnswerValue) => readonly string[],
): Operand {
  return {
    maxSize: options.ids.length + (otherId === undefined ? 0 : 1),
    hasOptions: true,
    jsonType: 'string',
    literal: (value) => optionLiteral(value, options, otherId),
    chosenIds,
  };
}

export const numberOperand = {
  maxSize: 1,
  literal: (value: unknown) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : badValue('the value must be a number');
  },
  scalar: (answer: AnswerValue) => Number(answer),
  ordered: true,
} satisfies Operand;

/** @param isOnScale whether an answer can have the number */
export function scaleOperand(
  { min, max }: { readonly min: number; readonly max: number },
  isOnScale: (value: number) => boolean,
): Operand {
  return {
    ...numberOperand,
    jsonType: 'number',
    isOutOfRange: (literal, exact) => {
      const value = Number(literal);
      return value < min || value > max || (exact && !isOnScale(value));
    },
  };
}

export function textOperand(compilePattern: CompilePattern, maxLength: number): Operand {
  return {
    maxSize: maxLength,
    jsonType: 'string',
    // Answers have no surrounding blanks.
    literal: (value) => {
      const text = textLiteral(value);
      return isFault(text) ? text : text.trim();
    },
    scalar: asText,
    text: asText,
    pattern: (pattern) => compilePattern(pattern, maxLength),
  };
}

/** For texts that are numbers: compared as numbers, searched as texts. */
export function numericTextOperand(compilePattern: CompilePattern, maxLength: number): Operand {
  const { jsonType: _, ...text } = textOperand(compilePattern, maxLength);
  return {
    ...text,
    ...numberOperand,
    maxSize: maxLength,
  };
}

/** For dates and times. `toMoment` returns a text that sorts by time. */
export function momentOperand(
  expected: string,
  toMoment: (text: string) => string | undefined,
  [min, max]: readonly [min: string | undefined, max: string | undefined],
): Operand {
  return {
    maxSize: 1,
    jsonType: 'string',
    isOutOfRange: (literal) => (min !== undefined && literal < min) || (max !== undefined && literal > max),
    literal: (value) =>
      (typeof value === 'string' ? toMoment(value) : undefined) ?? badValue(`the value must be ${expected}`),
    scalar: (answer) => toMoment(asText(answer)) ?? '',
    ordered: true,
  };
}

function asText(answer: AnswerValue): string {
  return String(answer);
}

/** Reads the text of a condition to compare with or to search for. */
export function textLiteral(value: unknown): string | Fault {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? toNfc(String(value))
    : badValue('the value must be a text');
}

function optionLiteral(value: unknown, options: OptionList, otherId: string | undefined): string | Fault {
  if (typeof value !== 'string' && typeof value !== 'number') return badValue('the value must be an option');
  const text = String(value);
  if (text === otherId) return text;
  const resolved = options.resolve(text);
  if (resolved === 'unknown') return { code: 'UNKNOWN_OPTION', detail: `the question has no option ${text}` };
  if (resolved === 'ambiguous') {
    return { code: 'AMBIGUOUS_OPTION', detail: `several options of the question have the text ${text}` };
  }
  return resolved.id;
}

function badValue(detail: string): Fault {
  return { code: 'BAD_VALUE', detail };
}
