import { canonicalTag } from '@survey/questionnaire/definition/language-tag';

/** Language codes that differ from BCP 47. */
const SPECIAL_CODES: Readonly<Record<string, string>> = {
  'ZH-S': 'zh-Hans',
  'ZH-T': 'zh-Hant',
  PB: 'pt-BR',
  'ES-ES': 'es-ES',
  'SR-ME': 'sr-ME',
  DEFAULT: 'en',
};

/** Converts a Qualtrics language code to a BCP 47 tag; undefined if it is invalid. */
export function toLanguageTag(code: string): string | undefined {
  const upper = code.toUpperCase();
  const special = Object.hasOwn(SPECIAL_CODES, upper) ? SPECIAL_CODES[upper] : undefined;
  return special ?? canonicalTag(code);
}
