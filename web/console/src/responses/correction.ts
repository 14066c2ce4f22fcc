import type { ApiError, FieldError } from '@survey/client';
import type { Answers } from '@survey/questionnaire';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { ownMember } from '@survey/questionnaire/json';

/** A merge patch of answers: `null` removes one. */
export type AnswerPatch = Record<string, unknown>;

/** Returns the answers that differ, as a merge patch from `before` to `after`. Empty if none differs. */
export function diffAnswers(before: Answers, after: Answers): AnswerPatch {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    ids.flatMap((id) => {
      const answer = ownMember(after, id);
      if (isSame(ownMember(before, id), answer)) return [];
      return [[id, isUnanswered(answer) ? null : answer]];
    }),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  if (isUnanswered(one) || isUnanswered(other)) return isUnanswered(one) && isUnanswered(other);
  return JSON.stringify(one) === JSON.stringify(other);
}

interface CorrectionErrors {
  /** The first error of each question, by id. */
  readonly byQuestion: ReadonlyMap<string, string>;
  /** The first error of the metadata. */
  readonly ofMetadata: string | undefined;
  /** Errors that belong to no field of the form. */
  readonly others: readonly FieldError[];
}

/** Sorts the errors of a rejected correction by field. */
export function groupErrors(error: Pick<ApiError, 'errors'>, questionIds: ReadonlySet<string>): CorrectionErrors {
  const byQuestion = new Map<string, string>();
  const others: FieldError[] = [];
  let ofMetadata: string | undefined;
  for (const field of error.errors) {
    if (/^\/metadata(\/|$)/.test(field.path)) {
      ofMetadata ??= field.detail;
      continue;
    }
    const id = questionOf(field.path);
    if (id === undefined || !questionIds.has(id)) others.push(field);
    else if (!byQuestion.has(id)) byQuestion.set(id, field.detail);
  }
  return { byQuestion, ofMetadata, others };
}

/** The question that a JSON pointer such as `/data/taste` leads to. */
function questionOf(path: string): string | undefined {
  const [, , id] = /^\/(data)\/([^/]+)/.exec(path) ?? [];
  return id?.replaceAll('~1', '/').replaceAll('~0', '~');
}
