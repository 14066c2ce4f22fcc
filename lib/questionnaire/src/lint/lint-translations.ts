import { foldTag, isLanguageTag, LANGUAGE_TAG, nameLanguages } from '../definition/language-tag.ts';
import { itemsOf, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { pointer } from '../pointer.ts';
import type { Translations } from '../schema/schema.ts';
import type { ReportProblem } from './report.ts';

/** Checks the translations of a text. */
export type LintTranslations = (translations: Translations, path: string, questionId: string | undefined) => void;

/** Reports declared languages with a repeated subtag, which the schema cannot express. */
export function lintLanguages(survey: JsonObject, report: ReportProblem): void {
  for (const [index, tag] of itemsOf(survey.supported_languages).slice(0, LIMITS.languages).entries()) {
    if (typeof tag !== 'string' || tag.length > LIMITS.languageTag || !LANGUAGE_TAG.test(tag) || isLanguageTag(tag))
      continue;
    report('BAD_LANGUAGE', `/survey/supported_languages/${index}`, 'the language repeats a subtag');
  }
}

/** Warns of missing and undeclared translations. */
export function createTranslationLint(languages: readonly string[], report: ReportProblem): LintTranslations {
  const declared = new Map(languages.map((language) => [foldTag(language), language]));
  return (translations, path, questionId) => {
    const missing = missingLanguages(translations, declared);
    if (missing !== undefined)
      report('MISSING_TRANSLATION', path, `the text has no translation to ${missing}`, questionId);
    for (const language of Object.keys(translations)) {
      if (declared.has(foldTag(language))) continue;
      const detail = `${language} is not in supported_languages`;
      report('UNDECLARED_LANGUAGE', pointer(path, language), detail, questionId);
    }
  };
}

/** The declared languages without a translation. */
function missingLanguages(translations: Translations, declared: ReadonlyMap<string, string>): string | undefined {
  const given = new Set<string>();
  for (const [tag, translation] of Object.entries(translations)) {
    const key = foldTag(tag);
    if (translation !== '' && declared.has(key)) given.add(key);
  }
  if (given.size === declared.size) return undefined;
  return nameLanguages([...declared].flatMap(([key, language]) => (given.has(key) ? [] : [language])));
}
