import { isLanguageTag } from '@survey/questionnaire/definition/language-tag';
import { once } from '@survey/questionnaire/once';

/**
 * Converts a language of a form, such as `English (en)`, `en` or `French`, to a tag. Unknown names get a private
 * tag. Two languages of a form have the same tag only if both name it.
 */
type ToTag = (language: string) => string;

export function createToTag(): ToTag {
  const tags = new Map<string, string>();
  const taken = new Set<string>();
  const byName = once(namesOfLanguages);
  return (language) => {
    const key = language.trim().toLowerCase();
    const known = tags.get(key);
    if (known !== undefined) return known;
    const { tag: wanted, isSure } = tagOf(language, byName);
    const tag = isSure ? wanted : freeTag(wanted, taken);
    taken.add(tag);
    tags.set(key, tag);
    return tag;
  };
}

/** A tag that no other language of the form has: `es`, `es-x-2`. */
function freeTag(tag: string, taken: ReadonlySet<string>): string {
  const base = tag.includes('-x-') ? tag : `${tag}-x`;
  let free = tag;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}`;
  return free;
}

/** The tag of a language. It is not sure if the tag is a guess: another language of the form can get the same tag. */
function tagOf(language: string, byName: () => ReadonlyMap<string, string>): { tag: string; isSure: boolean } {
  const { name, bracket } = partsOf(language);
  const isCapital = /^[A-Z]{2,3}$/.test(bracket);
  const tagOfName = isCapital ? byName().get(name.toLowerCase()) : undefined;
  // Capitals after a known name are its code or a country: `French (FR)`, `English (UK)`.
  if (tagOfName !== undefined) {
    const region = `${tagOfName}-${bracket}`;
    const isCode = bracket.length !== 2 || bracket.toLowerCase() === tagOfName || !isLanguageTag(region);
    return { tag: isCode ? tagOfName : canonical(region), isSure: bracket.length === 2 };
  }
  for (const given of [bracket, name]) {
    const written = given.trim().replaceAll('_', '-');
    if (/^[a-z]{2,3}(-|$)/i.test(written) && isLanguageTag(written)) return { tag: canonical(written), isSure: true };
  }
  const known = byName().get(name.toLowerCase());
  if (known !== undefined) return { tag: known, isSure: bracket === '' };
  const fit = language
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 8);
  return { tag: `und-x-${fit === '' ? 'other' : fit}`, isSure: false };
}

/** Splits `English (en)`. */
function partsOf(language: string): { readonly name: string; readonly bracket: string } {
  const trimmed = language.trim();
  const start = trimmed.endsWith(')') ? trimmed.lastIndexOf('(') : -1;
  if (start === -1) return { name: trimmed, bracket: '' };
  return { name: trimmed.slice(0, start).trim(), bracket: trimmed.slice(start + 1, -1).trim() };
}

function canonical(tag: string): string {
  return Intl.getCanonicalLocales(tag)[0] ?? tag;
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
