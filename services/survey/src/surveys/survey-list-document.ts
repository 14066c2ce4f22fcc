import type { Survey, SurveyStatus } from './survey.ts';
import { titlePrefixes } from './title-words.ts';

/** What a survey's document has for lists alone. */
export interface ListedMembers {
  /** What every list asks for, in one field, so that indexes can begin with it. */
  readonly list_state: SurveyStatus | 'deleted';
  /** What the words of the title begin with, see `titlePrefixes`. */
  readonly title_prefixes: readonly string[];
}

export function toListedMembers({ definition, status, deletedAt }: Survey): ListedMembers {
  return {
    list_state: deletedAt === undefined ? status : 'deleted',
    title_prefixes: titlePrefixes(definition['title']),
  };
}
