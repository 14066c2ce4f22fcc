import { AppError } from '@survey/runtime/errors/app-error';
import type { PageQuery } from '@survey/runtime/mongo/page';
import type { SurveyStatus } from './survey.ts';
import { wordsOf } from './title-words.ts';

/** Which surveys of a tenant to list: those for which all of it holds. */
export interface SurveyListQuery extends PageQuery {
  readonly status: SurveyStatus | undefined;
  readonly projectId: string | undefined;
  /** Each of them begins a word of the title; none are asked for when there are none. */
  readonly titleWords: readonly string[];
  readonly createdAt: TimeRange;
  /** The list is sorted by this time when one of its ends is given. */
  readonly updatedAt: TimeRange;
  /** The deleted surveys instead of the others. */
  readonly deleted: boolean;
}

/** From `since`, and before `until`. */
export interface TimeRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** The words to look for in titles, the longest first. Throws `INVALID_REQUEST` when there are none in the text. */
export function toTitleWords(q: string): readonly string[] {
  const words = wordsOf(q);
  if (words.length === 0) {
    const problem = { path: '/q', code: 'NO_WORD', detail: 'has to have a letter or a digit' };
    throw new AppError('INVALID_REQUEST', { detail: 'The query parameter q is not valid', errors: [problem] });
  }
  // One that another one begins with adds nothing.
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .toSorted((one, other) => other.length - one.length);
}
