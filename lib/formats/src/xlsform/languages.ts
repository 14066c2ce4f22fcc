import { isLanguageTag } from '@survey/questionnaire/definition/language-tag';
import { once } from '@survey/questionnaire/once';

/**
 * Converts a language of a form, such as `English (en)`, `en` or `French`, to a tag. Unknown names get a private tag.
 */
type ToTag = (language: string) => string;

export function createToTag(): ToTag {
  const tags = new Map<string, string>();
  const byName = once(namesOfLanguages);
  return (language) => {
    const known = tags.get(language);
    if (known !== undefined) return known;
    const tag = tagOf(language, byName);
    tags.set(language, tag);
    return tag;
  };
}

function tagOf(language: string, byName: () => ReadonlyMap<string, string>): string {
  const [, name = '', code = ''] = /^\s*([^()]*?)\s*(?:\(([^()]*)\))?\s*$/.exec(language) ?? [];
  for (const tag of [code, name]) {
    const written = tag.trim().replaceAll('_', '-');
    if (/^[a-z]{2,3}(-|$)/i.test(written) && isLanguageTag(written))
      return Intl.getCanonicalLocales(written)[0] ?? written;
  }
  const fit = language
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 8);
  return byName().get(name.toLowerCase()) ?? `und-x-${fit === '' ? 'other' : fit}`;
}

/** Languages with a two-letter code (ISO 639-1), by name in English and in the language itself. */
function namesOfLanguages(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const nameIn = (language: string, code: string) =>
    new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(code)?.toLowerCase();
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = letters.flatMap((one) => letters.map((other) => one + other)).filter((code) => english.of(code));
  const byName = new Map<string, string>();
  for (const code of codes) {
    for (const name of [english.of(code)?.toLowerCase(), nameIn(code, code)]) {
      if (name !== undefined && !byName.has(name)) byName.set(name, code);
    }
  }
  return byName;
}
