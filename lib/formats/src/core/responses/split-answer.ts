import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered, OTHER } from '@survey/questionnaire/answers/answer-value';
import { compile } from '@survey/questionnaire/compile';
import { isObject, setMember } from '@survey/questionnaire/json';
import type { AnswerProblem, Validate } from '@survey/questionnaire/validate';
import { questionsOf } from '../source-questions.ts';
import type { UnusableValue } from './response.ts';

/** An answer that is valid only in part. */
export interface SplitAnswer {
  /** The answer with only its valid rows and choices. */
  readonly valid: JsonValue;
  /** The invalid rows and choices. */
  readonly invalid: readonly UnusableValue[];
}

/** Divides an invalid answer to a question; undefined if nothing valid would be left. */
export type SplitAnswerOf = (questionId: string, answer: JsonValue) => SplitAnswer | undefined;

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

interface Choices {
  readonly valid: readonly JsonValue[];
  readonly invalid: readonly JsonValue[];
  readonly problem: AnswerProblem | undefined;
}

/**
 * Creates a function that divides answers by the rows of likert and matrix questions, and by choices. Each row is
 * validated alone. A list of choices is divided if the remaining choices are valid together: their number is allowed,
 * and no exclusive option is combined with others.
 *
 * @param payload the creation payload of the survey
 */
export function createSplitAnswer(payload: JsonObject): SplitAnswerOf {
  const questions = new Map<string, JsonObject>();
  for (const question of questionsOf(payload)) {
    const id = String(question['id']);
    if (!questions.has(id)) questions.set(id, question);
  }
  const checks = new Map<string, QuestionCheck>();

  function checkOf(id: string): QuestionCheck | undefined {
    const question = questions.get(id);
    if (question === undefined) return undefined;
    const check = checks.get(id) ?? createQuestionCheck(id, question, payload);
    checks.set(id, check);
    return check;
  }

  return (id, answer) => {
    const check = checkOf(id);
    if (check === undefined || countMembers(answer) > MAX_MEMBERS) return undefined;
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

function divide(list: readonly JsonValue[], problemOf: (one: JsonValue) => AnswerProblem | undefined): Choices {
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
