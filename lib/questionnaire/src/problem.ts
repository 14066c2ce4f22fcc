import { LIMITS } from './limits.ts';
import { shorten } from './shorten.ts';

/** One error or warning of a definition, or one error of a response. */
export interface Problem<Code extends string = string> {
  /** JSON pointer (RFC 6901): from the payload's root for a definition, `/data/<question id>` for an answer. */
  readonly path: string;
  /** A code of `lint/lint-codes.ts` or `answers/answer-codes.ts`. */
  readonly code: Code;
  /** A message for people. Never contains the text of an answer. */
  readonly detail: string;
  readonly question_id?: string;
}

export function toProblem<Code extends string>(
  code: Code,
  path: string,
  detail: string,
  questionId?: string,
): Problem<Code> {
  return {
    path,
    code,
    detail: shorten(detail, LIMITS.detail),
    // Omit overlong ids: every problem of the question would repeat them.
    ...(questionId === undefined || questionId.length > LIMITS.id ? {} : { question_id: questionId }),
  };
}

/** Adds a problem unless the list is full, so a hostile payload cannot cause a reply larger than itself. */
export function addProblem<Code extends string>(problems: Problem<Code>[], problem: Problem<Code>): void {
  if (problems.length < LIMITS.problems) problems.push(problem);
}
