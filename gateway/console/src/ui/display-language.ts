import type { Definition } from '@survey/questionnaire';
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
  const find = (matches: (language: string) => boolean) => declared.find((tag) => matches(tag.toLowerCase()));
  for (const wanted of preferred.map((tag) => tag.toLowerCase())) {
    const [base] = wanted.split('-');
    const found =
      find((tag) => tag === wanted) ??
      find((tag) => wanted.startsWith(`${tag}-`)) ??
      find((tag) => tag.split('-')[0] === base);
    if (found !== undefined) return found;
  }
  return declared[0] ?? preferred[0] ?? 'en';
}

/** Returns the language of a survey that suits the viewer. */
export function displayLanguageOf(definition: Definition | undefined): string {
  return chooseLanguage(languagesOf(definition), navigator.languages);
}
