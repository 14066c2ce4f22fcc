import type { AnswerCode } from './answers/answer-codes.ts';
import { type Checked, isRefusal, type Refusal } from './answers/answer-type.ts';
import { type AnswerValue, isUnanswered } from './answers/answer-value.ts';
import type { CompiledQuestion } from './compiled-question.ts';
import { isObject, type JsonObject } from './json.ts';
import { applyLogic } from './logic/apply-logic.ts';
import type { LogicProgram } from './logic/compile-logic.ts';
import { pointer } from './pointer.ts';
import { addProblem, type Problem, toProblem } from './problem.ts';

export type AnswerProblem = Problem<AnswerCode>;

export interface ValidateOptions {
  /** Checks only what is there, as for a response in progress: nothing is required. Default false. */
  readonly partial?: boolean;
  /** Refuses answers to hidden questions, which are dropped otherwise. Default false. */
  readonly strict?: boolean;
  /** Takes numeric strings for numbers, and texts of options and rows for their ids, as imports do. Default false. */
  readonly lenient?: boolean;
}

/** Normalised answers by question id, in the order of the definition. */
export type ResponseData = { readonly [questionId: string]: AnswerValue };

export interface Validation {
  /** What is right of the answers, normalised, without hidden and unanswered questions. */
  readonly data: ResponseData;
  /** One problem for each question at most; empty when the response can be stored. */
  readonly errors: readonly AnswerProblem[];
  /** Whether a disqualify rule holds. */
  readonly disqualified: boolean;
}

/** Validates the answers of one response, `{<question id>: <value>}`; takes any JSON value and never throws. */
export type Validate = (data: unknown, options?: ValidateOptions) => Validation;

export const createValidate = (questions: readonly CompiledQuestion[], program: LogicProgram): Validate => {
  const ids = new Set(questions.map((question) => question.id));

  return (data, options = {}) => {
    if (!isObject(data)) {
      const problem = toProblem('WRONG_TYPE', '/data', 'data must be an object of question ids');
      return { data: {}, errors: [problem], disqualified: false };
    }
    const errors: AnswerProblem[] = [];
    for (const id of Object.keys(data)) {
      if (ids.has(id)) continue;
      addProblem(errors, toProblem('UNKNOWN_QUESTION', pointer('/data', id), 'the survey has no such question', id));
    }

    const { answers, refusals } = checkAnswers(questions, data, options);
    const given = [...answers];
    const outcome = applyLogic(program, answers);
    for (const question of questions) {
      const { position } = question;
      const problem = outcome.isHidden(position)
        ? checkHidden(given[position] ?? refusals.get(position), options)
        : (refusals.get(position) ?? checkRequired(question, answers[position], outcome.isRequired(position), options));
      if (problem) addProblem(errors, toProblem(problem.code, question.dataPath, problem.detail, question.id));
    }
    return { data: toData(questions, answers), errors, disqualified: outcome.disqualified };
  };
};

const checkAnswers = (questions: readonly CompiledQuestion[], data: JsonObject, { lenient }: ValidateOptions) => {
  const answers: (AnswerValue | undefined)[] = [];
  const refusals = new Map<number, Refusal>();
  for (const { id, position, rules } of questions) {
    const value = Object.hasOwn(data, id) ? data[id] : undefined;
    const checked = checkValue(rules, value, lenient === true);
    if (isRefusal(checked)) refusals.set(position, checked);
    answers[position] = isRefusal(checked) ? undefined : checked.value;
  }
  return { answers, refusals };
};

const UNANSWERED: Checked = { value: undefined };

const checkValue = (rules: CompiledQuestion['rules'], value: unknown, lenient: boolean): Checked => {
  if (isUnanswered(value)) return UNANSWERED;
  if (!lenient) return rules.check(value);
  const coerced = rules.coerce(value);
  return isRefusal(coerced) ? coerced : rules.check(coerced.value);
};

const checkHidden = (given: AnswerValue | Refusal | undefined, { strict }: ValidateOptions): Refusal | undefined =>
  strict === true && given !== undefined
    ? { code: 'HIDDEN_QUESTION', detail: 'the question is hidden by logic, so it takes no answer' }
    : undefined;

const checkRequired = (
  { required, rules }: CompiledQuestion,
  answer: AnswerValue | undefined,
  requiredByLogic: boolean,
  { partial }: ValidateOptions,
): Refusal | undefined => {
  if (partial === true || !(required || requiredByLogic)) return undefined;
  const detail = answer === undefined ? 'the question needs an answer' : rules.missing?.(answer);
  return detail === undefined ? undefined : { code: 'REQUIRED', detail };
};

const toData = (
  questions: readonly CompiledQuestion[],
  answers: readonly (AnswerValue | undefined)[],
): ResponseData => {
  const entries: [string, AnswerValue][] = [];
  for (const { id, position } of questions) {
    const answer = answers[position];
    if (answer !== undefined) entries.push([id, answer]);
  }
  return Object.fromEntries(entries);
};
