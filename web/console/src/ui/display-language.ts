import { type Definition, findLanguage } from '@survey/questionnaire';
import { isObject, itemsOf } from '@survey/questionnaire/json';

/** The languages that a definition declares, the default one first. */
export function languagesOf(definition: Definition | undefined): readonly string[] {
  return itemsOf(isObject(definition) ? definition.supported_languages : undefined).map(String);
}

/**
 * Chooses the language of a survey that suits the viewer. `en-US` finds `en-US`, else `en`, else `en-GB`.
 *
 * @param declared the languages of the survey, the default one first
 * @param preferred the languages of the viewer, the best one first, such as `navigator.languages`
 */
export function chooseLanguage(declared: readonly string[] = [], preferred: readonly string[]): string {
  return findLanguage(declared, preferred) ?? declared[0] ?? preferred[0] ?? 'en';
}

/** Returns the language of a survey that suits the viewer. */
export function displayLanguageOf(definition: Definition | undefined): string {
  return chooseLanguage(languagesOf(definition), navigator.languages);
}
