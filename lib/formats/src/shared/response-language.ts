import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { WarnOnce } from './warn-once.ts';

interface ResponseLanguage {
  /** As the survey declares it; undefined if the survey does not. */
  readonly language: string | undefined;
  /** Has the member `language` if the survey does not declare the language. */
  readonly metadata: JsonObject;
}

/**
 * Finds the declared language of a response. Undeclared languages go to the metadata, because the survey would reject
 * the response.
 */
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
    const detail = 'Languages that the survey does not declare are kept in the metadata of the response';
    warnOnce('language', { path: '', code: 'UNDECLARED_LANGUAGE', detail });
    return { language: undefined, metadata: { language: given } };
  };
}
