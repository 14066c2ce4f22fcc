import type { AnswerCode } from './answers/answer-codes.ts';
import { type AnswerContext, type Checked, isRejection, type Rejection, rejection } from './answers/answer-type.ts';
import { type AnswerValue, isUnanswered } from './answers/answer-value.ts';
import type { CompiledQuestion } from './compiled-question.ts';
import { isObject, type JsonObject, setMember } from './json.ts';
import { applyLogic, type LogicOutcome } from './logic/apply-logic.ts';
import type { LogicProgram } from './logic/compile-logic.ts';
import { type AnswerSteps, findCostly } from './logic/steps.ts';
import { pointer } from './pointer.ts';
import { addProblem, type Problem, toProblem } from './problem.ts';

export type AnswerProblem = Problem<AnswerCode>;

export interface ValidateOptions {
  /** Does not report missing answers, for responses in progress. Default false. */
  readonly partial?: boolean;
  /** Rejects answers to hidden questions instead of dropping them. Default false. */
  readonly strict?: boolean;
  /** Accepts numeric strings as numbers, and texts of options and rows as ids, for imports. Default false. */
  readonly lenient?: boolean;
  /** Accepts options that are no longer offered, for imports and corrections. Default false. */
  readonly inactive?: boolean;
  /** Language tag of the respondent, to read decimal commas. Default: the only language of the survey, if it has one. */
  readonly language?: string | undefined;
}

/** Normalised answers by question id, in the order of the definition. */
export type ResponseData = { readonly [questionId: string]: AnswerValue };

export interface Validation {
  /** The valid answers, normalised, without hidden and unanswered questions. */
  readonly data: ResponseData;
  /** At most one error per question; empty when the response can be stored. */
  readonly errors: readonly AnswerProblem[];
  /** Whether a disqualify rule applies. */
  readonly disqualified: boolean;
}

/** Validates the answers of one response, `{<question id>: <value>}`. Takes any JSON value and never throws. */
export type Validate = (data: unknown, options?: ValidateOptions) => Validation;

/** Checks and normalises an answer to one question by itself, without logic. Takes any JSON value. */
export type CheckAnswer = (questionId: string, value: unknown, options: ValidateOptions) => Checked;

/** The effects of logic on the questions of a survey. */
export interface AppliedLogic {
  /** Ids of the visible questions, in the order of the definition. */
  readonly visible: readonly string[];
  /** Ids of the visible questions that must be answered; empty for a disqualified respondent. */
  readonly required: readonly string[];
  /** Whether a disqualify rule applies. */
  readonly disqualified: boolean;
}

/**
 * Applies the logic to answers, `{<question id>: <value>}`. Invalid answers count as unanswered.
 *
 * @param language see `ValidateOptions`
 */
export type ApplyLogic = (data: unknown, language?: string) => AppliedLogic;

/** Creates the functions of a compiled definition that apply it to answers. */
export function createAnswerFunctions(
  questions: readonly CompiledQuestion[],
  program: LogicProgram,
  steps: readonly AnswerSteps[],
  languages: readonly string[],
) {
  const onlyLanguage = languages.length === 1 ? languages[0] : undefined;
  const byId = new Map(questions.map((question) => [question.id, question]));

  const checkAnswers = (data: JsonObject, options: ValidateOptions) => {
    const answers: (AnswerValue | undefined)[] = new Array(questions.length);
    // Conditions and patterns are not tested with rejected answers.
    const rejections = findCostly(steps, data);
    const context: AnswerContext = { language: options.language ?? onlyLanguage };
    let knownMembers = 0;
    for (const { id, position, rules } of questions) {
      let value: unknown;
      if (Object.hasOwn(data, id)) {
        knownMembers += 1;
        value = data[id];
      }
      if (rejections.has(position)) continue;
      const checked = checkValue(rules, value, options, context);
      if (isRejection(checked)) rejections.set(position, checked);
      else answers[position] = checked.value;
    }
    return { answers, rejections, knownMembers };
  };

  const applyTo: ApplyLogic = (data, language) => {
    const { answers } = checkAnswers(isObject(data) ? data : {}, { inactive: true, language });
    const { isHidden, isRequired, disqualified } = applyLogic(program, answers);
    const visible = questions.filter(({ position }) => !isHidden(position));
    const required = disqualified
      ? []
      : visible.filter((question) => question.required || isRequired(question.position));
    return { visible: visible.map(({ id }) => id), required: required.map(({ id }) => id), disqualified };
  };

  const validate: Validate = (data, options = {}) => {
    if (!isObject(data)) {
      const problem = toProblem('WRONG_TYPE', '/data', 'data must be an object of question ids');
      return { data: {}, errors: [problem], disqualified: false };
    }
    const { answers, rejections, knownMembers } = checkAnswers(data, options);
    const errors = Object.keys(data).length > knownMembers ? unknownQuestions(data, byId) : [];
    // `applyLogic` removes the answers to hidden questions.
    const given = [...answers];
    const outcome = applyLogic(program, answers);
    for (const question of questions) {
      const { position } = question;
      const problem = outcome.isHidden(position)
        ? checkHidden(given[position] ?? rejections.get(position), options)
        : (rejections.get(position) ?? checkRequired(question, answers[position], outcome, options));
      if (problem) addProblem(errors, toProblem(problem.code, question.dataPath, problem.detail, question.id));
    }
    return { data: toData(questions, answers), errors, disqualified: outcome.disqualified };
  };

  const checkAnswer: CheckAnswer = (questionId, value, options) => {
    const question = byId.get(questionId);
    if (question === undefined) return UNANSWERED;
    return checkValue(question.rules, value, options, { language: options.language ?? onlyLanguage });
  };

  return { validate, applyTo, checkAnswer, hiddenBy: createHiddenBy(questions, program, steps) };
}

/**
 * Returns a function that finds the hidden questions. Only questions with visibility rules can be hidden, and only the
 * sources of conditions can hide them. So the function reads no other answers.
 */
function createHiddenBy(questions: readonly CompiledQuestion[], program: LogicProgram, steps: readonly AnswerSteps[]) {
  const { rules, visibility } = program;
  const positions = new Set(rules.flatMap(({ conditions }) => conditions.map(({ sourcePosition }) => sourcePosition)));
  const sources = questions.filter(({ position }) => positions.has(position));
  const targets = new Set(visibility.map(({ position }) => position));
  const hideable = questions.filter(({ position }) => targets.has(position));
  return (data: ResponseData): readonly string[] => {
    if (hideable.length === 0) return [];
    const answers: (AnswerValue | undefined)[] = [];
    for (const { id, position } of sources) if (Object.hasOwn(data, id)) answers[position] = data[id];
    // Stored before steps were limited.
    for (const position of findCostly(steps, data).keys()) answers[position] = undefined;
    const { isHidden } = applyLogic(program, answers);
    return hideable.filter(({ position }) => isHidden(position)).map(({ id }) => id);
  };
}

function unknownQuestions(data: JsonObject, ids: ReadonlyMap<string, unknown>): AnswerProblem[] {
  const problems: AnswerProblem[] = [];
  for (const id of Object.keys(data)) {
    if (ids.has(id)) continue;
    addProblem(problems, toProblem('UNKNOWN_QUESTION', pointer('/data', id), 'the survey has no such question', id));
  }
  return problems;
}

const UNANSWERED: Checked = { value: undefined };

const INACTIVE = rejection('INACTIVE_OPTION', 'the answer names an option that is no longer offered');

function checkValue(
  rules: CompiledQuestion['rules'],
  value: unknown,
  options: ValidateOptions,
  context: AnswerContext,
): Checked {
  if (isUnanswered(value)) return UNANSWERED;
  const coerced = options.lenient === true ? rules.coerce(value, context) : undefined;
  if (coerced !== undefined && isRejection(coerced)) return coerced;
  const checked = rules.check(coerced === undefined ? value : coerced.value, context);
  const { namesInactive } = rules;
  if (namesInactive === undefined || options.inactive === true) return checked;
  if (isRejection(checked) || checked.value === undefined) return checked;
  return namesInactive(checked.value) ? INACTIVE : checked;
}

function checkHidden(given: AnswerValue | Rejection | undefined, { strict }: ValidateOptions): Rejection | undefined {
  return strict === true && given !== undefined
    ? { code: 'HIDDEN_QUESTION', detail: 'the question is hidden by logic, so it must not be answered' }
    : undefined;
}

function checkRequired(
  { required, rules, position }: CompiledQuestion,
  answer: AnswerValue | undefined,
  outcome: LogicOutcome,
  { partial }: ValidateOptions,
): Rejection | undefined {
  const detail = answer === undefined ? 'the question needs an answer' : rules.missing?.(answer);
  // A disqualified respondent gets no further questions.
  if (detail === undefined || partial === true || outcome.disqualified) return undefined;
  return required || outcome.isRequired(position) ? { code: 'REQUIRED', detail } : undefined;
}

function toData(questions: readonly CompiledQuestion[], answers: readonly (AnswerValue | undefined)[]): ResponseData {
  const data: Record<string, AnswerValue> = {};
  for (const { id, position } of questions) {
    const answer = answers[position];
    if (answer !== undefined) setMember(data, id, answer);
  }
  return data;
}
