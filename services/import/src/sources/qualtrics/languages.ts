import { isLanguageTag } from '@survey/questionnaire/definition/language-tag';

/** Where Qualtrics has codes of its own. */
const ODD: Readonly<Record<string, string>> = {
  'ZH-S': 'zh-Hans',
  'ZH-T': 'zh-Hant',
  PB: 'pt-BR',
  'ES-ES': 'es-ES',
  'SR-ME': 'sr-ME',
  DEFAULT: 'en',
};

/** The BCP 47 tag of a language of Qualtrics; undefined when it is none. */
export function toLanguageTag(code: string): string | undefined {
  const upper = code.toUpperCase();
  const odd = Object.hasOwn(ODD, upper) ? ODD[upper] : undefined;
  if (odd !== undefined) return odd;
  const tag = code.replaceAll('_', '-');
  return isLanguageTag(tag) ? Intl.getCanonicalLocales(tag)[0] : undefined;
}
