import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type HtmlToText, type Text, textOf } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { listIn } from './document.ts';

export interface SurveyTexts {
  /** Languages of the survey, its own language first. */
  readonly languages: readonly string[];
  read(value: JsonValue | undefined, path: string): Text;
}

/** The key of texts in the language of the survey. */
const DEFAULT = 'default';
/** A placeholder for an answer, variable or hidden field. */
const RECALL = /#recall:/;

/** @param fallback language for surveys without one */
export function createSurveyTexts(
  survey: JsonObject,
  fallback: string,
  { toText, warnOnce }: { readonly toText: HtmlToText; readonly warnOnce: WarnOnce },
): SurveyTexts {
  const keys = languagesOf(survey, fallback);
  return {
    languages: keys.map(([, language]) => language),
    read(value, path) {
      const texts = isObject(value) ? value : { [DEFAULT]: value ?? '' };
      const given = keys.map(([key, language]) => {
        const text = texts[key];
        return [language, typeof text === 'string' ? toText(text, path) : ''] as const;
      });
      if (given.some(([, text]) => RECALL.test(text))) {
        const detail = 'Placeholders #recall:…# are not replaced';
        warnOnce('recall', { path, code: 'PLACEHOLDER_KEPT', detail });
      }
      return textOf(given);
    },
  };
}

/** The keys of texts with their languages. */
function languagesOf(survey: JsonObject, fallback: string): readonly (readonly [key: string, language: string])[] {
  const found = new Map<string, string>();
  for (const entry of listIn(survey, 'languages')) {
    const language = isObject(entry) && isObject(entry['language']) ? entry['language'] : {};
    const { code } = language;
    const tag = canonicalTag(code);
    if (!isObject(entry) || typeof code !== 'string' || tag === undefined) continue;
    found.set(entry['default'] === true ? DEFAULT : code, tag);
  }
  const mainLanguage = found.get(DEFAULT) ?? fallback;
  const others = [...found].filter(([key, language]) => key !== DEFAULT && language !== mainLanguage);
  return [[DEFAULT, mainLanguage] as const, ...others].slice(0, LIMITS.languages);
}
