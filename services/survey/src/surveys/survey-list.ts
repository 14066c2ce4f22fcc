import { AppError } from '@survey/runtime/errors/app-error';
import type { PageQuery } from '@survey/runtime/mongo/page';
import type { SurveyStatus } from './survey.ts';
import { wordsOf } from './title-words.ts';

/** A query for surveys of a tenant. All filters must match. */
export interface SurveyListQuery extends PageQuery {
  readonly status: SurveyStatus | undefined;
  readonly projectId: string | undefined;
  /** Prefixes of words in the title; empty matches all. */
  readonly titleWords: readonly string[];
  readonly createdAt: TimeRange;
  /** The list is sorted by this time if one of its limits is given. */
  readonly updatedAt: TimeRange;
  /** Lists deleted surveys instead of the others. */
  readonly deleted: boolean;
}

/** `since` is inclusive, `until` exclusive. */
export interface TimeRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** The words of a search text, the longest first. Throws `INVALID_REQUEST` if there are none. */
export function toTitleWords(q: string): readonly string[] {
  const words = wordsOf(q);
  if (words.length === 0) {
    const problem = { path: '/q', code: 'NO_WORD', detail: 'must contain a letter or a digit' };
    throw new AppError('INVALID_REQUEST', { detail: 'The query parameter q is not valid', errors: [problem] });
  }
  // A word that is a prefix of another adds nothing.
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .toSorted((one, other) => other.length - one.length);
}
