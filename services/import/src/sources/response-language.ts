import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { WarnOnce } from './warn-once.ts';

/** The language of a response, or what is kept of one that the survey does not declare. */
interface ResponseLanguage {
  /** As the survey declares it; undefined when it does not. */
  readonly language: string | undefined;
  /** The other language as a member `language`, else nothing. */
  readonly metadata: JsonObject;
}

/** Finds the language of a response by what a tool calls it: a response in another one than the survey's would be refused. */
export function createResponseLanguages(
  payload: JsonObject,
  warnOnce: WarnOnce,
): (given: string | undefined) => ResponseLanguage {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const declared = new Map(
    itemsOf(survey['supported_languages'])
      .filter((language) => typeof language === 'string')
      .map((language) => [language.toLowerCase(), language]),
  );
  return (given = '') => {
    const language = declared.get(given.toLowerCase());
    if (given === '' || language !== undefined) return { language, metadata: {} };
    const detail = 'The language of a response is kept in its metadata where the survey does not declare it';
    warnOnce('language', { path: '', code: 'UNDECLARED_LANGUAGE', detail });
    return { language: undefined, metadata: { language: given } };
  };
}
