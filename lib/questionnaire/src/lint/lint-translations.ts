import { foldTag, isLanguageTag, LANGUAGE_TAG } from '../definition/language-tag.ts';
import { itemsOf, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { pointer } from '../pointer.ts';
import type { Translations } from '../schema/schema.ts';
import type { ReportProblem } from './report.ts';

/** Checks the translations of a text. */
export type LintTranslations = (translations: Translations, path: string, questionId: string | undefined) => void;

const MAX_NAMED_LANGUAGES = 20;

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

/** The declared languages without a translation: up to `MAX_NAMED_LANGUAGES` by name, then their number. */
function missingLanguages(translations: Translations, declared: ReadonlyMap<string, string>): string | undefined {
  const given = new Set<string>();
  for (const [tag, translation] of Object.entries(translations)) {
    const key = foldTag(tag);
    if (translation !== '' && declared.has(key)) given.add(key);
  }
  const count = declared.size - given.size;
  if (count === 0) return undefined;
  const names: string[] = [];
  for (const [key, language] of declared) {
    if (names.length === MAX_NAMED_LANGUAGES) break;
    if (!given.has(key)) names.push(language);
  }
  return names.join(', ') + (count > names.length ? ` and ${count - names.length} more` : '');
}
