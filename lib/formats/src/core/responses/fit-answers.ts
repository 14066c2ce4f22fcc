import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered, OTHER } from '@survey/questionnaire/answers/answer-value';
import { compile } from '@survey/questionnaire/compile';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { isObject, setMember } from '@survey/questionnaire/json';
import type { AnswerProblem, Validate, ValidateOptions, Validation } from '@survey/questionnaire/validate';
import { getOrAdd } from '../maps.ts';
import { questionsOf } from '../source-questions.ts';
import type { UnusableValue } from './response.ts';

/** The answers of a response, compared with the survey. */
export interface FittedAnswers {
  /** The valid answers, normalised. */
  readonly data: JsonObject;
  /** Answers, and parts of answers, that the survey does not allow. */
  readonly unfit: readonly UnusableValue[];
  /** Invalid answers, and required questions without a value in the file. */
  readonly problems: readonly AnswerProblem[];
}

export interface SurveyToFit {
  /** The payload of the survey. `definition` is the same survey, compiled. */
  readonly payload: JsonObject;
  readonly definition: Pick<CompiledDefinition, 'validate'>;
}

/**
 * Maximum rounds of dividing invalid answers into valid and invalid parts. Each round can make other answers invalid.
 * Answers that are still invalid after the last round are not stored.
 */
const MAX_ROUNDS = 20;
const WRONG_VALUE = { code: 'WRONG_TYPE', detail: 'the value is not an answer' };

/**
 * Creates a function that compares the answers of a response with the survey. `unusable` are the values of the response
 * that are not in `answers`: questions with such a value are not reported as missing.
 *
 * @param usesParts whether the valid parts of an invalid answer are used
 */
export function createFitAnswers({ payload, definition }: SurveyToFit, usesParts: boolean) {
  const splitAnswer = usesParts ? createSplitAnswer(payload) : () => undefined;
  return (
    answers: JsonObject,
    unusable: readonly UnusableValue[],
    options: Pick<ValidateOptions, 'partial' | 'language'>,
  ): FittedAnswers => {
    const validate = (all: JsonObject) =>
      definition.validate(all, { lenient: true, inactive: true, strict: true, ...options });
    const whole = validate(answers);
    const isStored = (id: string) => Object.hasOwn(whole.data, id) || isUnanswered(answers[id]);
    // A shortcut for nearly all responses of a file.
    if (whole.errors.length === 0 && Object.keys(answers).every(isStored))
      return { data: whole.data as JsonObject, unfit: [], problems: [] };

    const { splits, data, errors } = splitInvalid(answers, whole, splitAnswer, validate);
    const problemOf = new Map(errors.map((problem) => [problem.question_id, problem]));
    const unfit = Object.entries(answers).flatMap(([name, value]): readonly UnusableValue[] => {
      if (isUnanswered(value)) return [];
      if (Object.hasOwn(data, name)) return splits.get(name)?.invalid ?? [];
      const { code, detail } = problemOf.get(name) ?? WRONG_VALUE;
      return [{ kind: 'answer', name, code, detail, value }];
    });
    // Names are like columns: `q` or `q[row]`.
    const unusableIds = unusable.flatMap(({ kind, name }) => (kind === 'answer' ? (name.split('[', 1)[0] ?? '') : []));
    const withValue = new Set([...unusableIds, ...[...splits.keys()].filter((id) => Object.hasOwn(data, id))]);
    const problems = errors.filter(
      (problem) =>
        problem.code !== 'HIDDEN_QUESTION' && !(isMissing(problem) && withValue.has(problem.question_id ?? '')),
    );
    // Normalised answers are a read-only subtype of JSON.
    return { data: data as JsonObject, unfit, problems };
  };
}

/** Whether the problem is that a required question has no answer. */
export function isMissing({ code }: AnswerProblem): boolean {
  return code === 'REQUIRED';
}

/**
 * Divides invalid answers that are valid in part. Returns the parts by question. Logic then uses the valid parts: it
 * can hide a question whose answer was divided, or show a question whose answer must be divided too.
 */
function splitInvalid(
  answers: JsonObject,
  whole: Validation,
  splitAnswer: SplitAnswerOf,
  validate: (answers: JsonObject) => Validation,
) {
  const splits = new Map<string, SplitAnswer>();
  let found = whole;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = splits.size;
    for (const { code, question_id: id = '' } of found.errors) {
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
      if (answer === undefined || splits.has(id) || code === 'HIDDEN_QUESTION' || code === 'REQUIRED') continue;
      const split = splitAnswer(id, answer);
      if (split !== undefined) splits.set(id, split);
    }
    if (splits.size === before) break;
    const valid = { ...answers };
    for (const [id, split] of splits) setMember(valid, id, split.valid);
    found = validate(valid);
  }
  return { splits, data: found.data, errors: found.errors };
}

/** An answer that is valid only in part. */
interface SplitAnswer {
  /** The answer with only its valid rows and choices. */
  readonly valid: JsonValue;
  /** The invalid rows and choices. */
  readonly invalid: readonly UnusableValue[];
}

/** Divides an invalid answer to a question; undefined if nothing valid would be left. */
type SplitAnswerOf = (questionId: string, answer: JsonValue) => SplitAnswer | undefined;

/** Larger answers are not divided, because each row and choice is validated alone. */
const MAX_MEMBERS = 5_000;

/** Validates answers to one question, and parts of them. */
interface QuestionCheck {
  readonly type: string;
  /** The problem of an answer; undefined for a valid one. */
  problemOf(answer: JsonValue): AnswerProblem | undefined;
  /** Like `problemOf`, but without the minimum number of choices. */
  problemOfPart(answer: JsonValue): AnswerProblem | undefined;
}

/**
 * Creates a function that divides answers by the rows of likert and matrix questions, and by choices. Each row is
 * validated alone. A list of choices is divided if the remaining choices are valid together: their number is allowed,
 * and no exclusive option is combined with others.
 *
 * @param payload the creation payload of the survey
 */
function createSplitAnswer(payload: JsonObject): SplitAnswerOf {
  const questions = new Map(questionsOf(payload).map((question) => [String(question['id']), question]));
  const checks = new Map<string, QuestionCheck>();
  return (id, answer) => {
    const question = questions.get(id);
    if (question === undefined || countMembers(answer) > MAX_MEMBERS) return undefined;
    const check = getOrAdd(checks, id, () => createQuestionCheck(id, question, payload));
    const split =
      check.type === 'multiple_choice'
        ? splitChoiceAnswer(id, answer, check)
        : (check.type === 'likert' || check.type === 'matrix') && isObject(answer)
          ? splitRows(id, answer as JsonObject, check)
          : undefined;
    if (split === undefined || isEmpty(split.valid) || split.invalid.length === 0) return undefined;
    // Parts that are valid alone can be invalid together, such as duplicates.
    return check.problemOf(split.valid) === undefined ? split : undefined;
  };
}

function createQuestionCheck(id: string, question: JsonObject, payload: JsonObject): QuestionCheck {
  const { min_selections: _, ...part } = question;
  const validateAlone = (one: JsonObject): Validate => {
    const survey = isObject(payload['survey']) ? payload['survey'] : {};
    return compile({ ...payload, survey: { ...survey, pages: [{ questions: [one] }], logic: [] } }).validate;
  };
  const [whole, parts] = [validateAlone(question), validateAlone(part)];
  const problemIn = (validate: Validate, answer: JsonValue) =>
    validate({ [id]: answer }, { lenient: true, inactive: true, partial: true }).errors[0];
  return {
    type: String(question['type']),
    problemOf: (answer) => problemIn(whole, answer),
    problemOfPart: (answer) => problemIn(parts, answer),
  };
}

function splitRows(id: string, answer: JsonObject, { problemOfPart }: QuestionCheck): SplitAnswer {
  const valid: JsonObject = {};
  const unknown: JsonObject = {};
  const invalid: UnusableValue[] = [];
  let noRow: AnswerProblem | undefined;
  for (const [row, cell] of Object.entries(answer)) {
    if (isUnanswered(cell)) continue;
    const problem = problemOfPart({ [row]: cell });
    if (problem === undefined) setMember(valid, row, cell);
    else if (problem.code === 'UNKNOWN_ROW') {
      // The name of an unknown row is a value of the file. Reports must not contain such values.
      noRow ??= problem;
      setMember(unknown, row, cell);
    } else {
      const choices = Array.isArray(cell) ? divide(cell, (one) => problemOfPart({ [row]: [one] })) : undefined;
      const isDivided =
        choices !== undefined && choices.valid.length > 0 && problemOfPart({ [row]: [...choices.valid] }) === undefined;
      if (isDivided) setMember(valid, row, [...choices.valid]);
      const { code, detail } = problem;
      const value = isDivided ? [...choices.invalid] : cell;
      invalid.push({ kind: 'answer', name: `${id}[${row}]`, code, detail, value });
    }
  }
  if (noRow !== undefined) {
    invalid.push({ kind: 'answer', name: id, code: noRow.code, detail: noRow.detail, value: unknown });
  }
  return { valid, invalid };
}

/** Divides a list, or `{"options": […], "other": "…"}`. */
function splitChoiceAnswer(id: string, answer: JsonValue, { problemOfPart }: QuestionCheck): SplitAnswer | undefined {
  const given = isObject(answer) ? (answer as JsonObject) : undefined;
  const list = given === undefined ? answer : (given['options'] ?? []);
  if (!Array.isArray(list)) return undefined;
  const choices = divide(list, (one) => problemOfPart([one]));
  const other = given?.[OTHER];
  const problemOfOther = isUnanswered(other) ? undefined : problemOfPart({ options: [], [OTHER]: other ?? null });
  const problem = choices.problem ?? problemOfOther;
  if (problem === undefined) return undefined;
  const hasOther = !isUnanswered(other) && problemOfOther === undefined;
  const valid = hasOther ? { options: [...choices.valid], [OTHER]: other ?? null } : [...choices.valid];
  const value =
    problemOfOther === undefined
      ? [...choices.invalid]
      : { ...(choices.invalid.length > 0 && { options: [...choices.invalid] }), [OTHER]: other ?? null };
  return { valid, invalid: [{ kind: 'answer', name: id, code: problem.code, detail: problem.detail, value }] };
}

function divide(list: readonly JsonValue[], problemOf: (one: JsonValue) => AnswerProblem | undefined) {
  const problems = list.map(problemOf);
  return {
    valid: list.filter((_, position) => problems[position] === undefined),
    invalid: list.filter((_, position) => problems[position] !== undefined),
    problem: problems.find((problem) => problem !== undefined),
  };
}

/** Counts the rows and choices of an answer. */
function countMembers(answer: JsonValue): number {
  if (typeof answer !== 'object' || answer === null) return 1;
  return Object.values(answer).reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 1), 0);
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
