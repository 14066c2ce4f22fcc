import { findLanguage } from '@survey/questionnaire';

/** Languages and scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']);
const RIGHT_TO_LEFT_SCRIPTS = new Set(['adlm', 'arab', 'hebr', 'mand', 'nkoo', 'rohg', 'syrc', 'thaa']);

/**
 * Chooses one of the languages of a survey: the nearest to the first wanted one that it has, else its default.
 *
 * @param offered language tags, the default first
 * @param wanted language tags in order of preference
 */
export function chooseLanguage(offered: readonly string[], wanted: readonly string[]): string {
  return findLanguage(offered, wanted) ?? offered[0] ?? 'en';
}

/** The direction in which a language is written. A script in the tag, as in `az-Arab`, decides. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const script = tag.split('-').find((part, index) => index > 0 && part.length === 4);
  const isRightToLeft =
    script === undefined ? RIGHT_TO_LEFT.has(primaryOf(tag)) : RIGHT_TO_LEFT_SCRIPTS.has(script.toLowerCase());
  return isRightToLeft ? 'rtl' : 'ltr';
}

/** The name of a language in itself, such as `Deutsch`; the tag if the browser does not know it. */
export function nameOf(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The first part of a language tag: `pt` of `pt-BR`. */
export function primaryOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
