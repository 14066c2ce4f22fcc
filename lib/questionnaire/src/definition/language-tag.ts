import { LIMITS } from '../limits.ts';

const MAX_NAMED = 20;

const LANGUAGE = '(?:[A-Za-z]{2,3}|[A-Za-z]{5,8})';
const SCRIPT = '(?:-[A-Za-z]{4})?';
const REGION = '(?:-(?:[A-Za-z]{2}|[0-9]{3}))?';
const VARIANTS = '(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*';
const ID = `${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}`;
const VALUE = '(?:-[A-Za-z0-9]{3,8})';
const KEYWORD = `(?:-[A-Za-z0-9][A-Za-z]${VALUE}*)`;
const FIELD = `(?:-[A-Za-z][0-9]${VALUE}+)`;
const EXTENSION = [
  `-[Uu](?:${KEYWORD}+|${VALUE}+${KEYWORD}*)`,
  `-[Tt](?:-${ID}${FIELD}*|${FIELD}+)`,
  '-[0-9A-SV-WYZa-sv-wyz](?:-[A-Za-z0-9]{2,8})+',
].join('|');
const PRIVATE = '(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?';

/** A well-formed BCP 47 language tag, as Unicode defines it (UTS 35, section 3.2). Repeated subtags also match. */
export const LANGUAGE_TAG = new RegExp(`^${ID}(?:${EXTENSION})*${PRIVATE}$`);

/** Whether a value is a valid BCP 47 language tag of limited length, so `Intl` accepts it. */
export function isLanguageTag(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LIMITS.languageTag || !LANGUAGE_TAG.test(value)) return false;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false; // a subtag is repeated
  }
}

/**
 * A language tag in the form in which tags are compared (RFC 5646, section 2.1.1). People also write `pt_BR`, as in
 * names of locales.
 */
export function foldTag(tag: string): string {
  return tag
    .trim()
    .replace(/[.@].*$/s, '')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The first languages by name, and the number of the others, for details of errors. */
export function nameLanguages(tags: readonly string[]): string {
  const named = tags.slice(0, MAX_NAMED).join(', ');
  return tags.length > MAX_NAMED ? `${named} and ${tags.length - MAX_NAMED} more` : named;
}

/** The canonical form of a language tag: `pt-BR` for `pt_br`. Returns undefined if the value is no language tag. */
export function canonicalTag(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LIMITS.languageTag) return undefined;
  const tag = foldTag(value);
  return isLanguageTag(tag) ? Intl.getCanonicalLocales(tag)[0] : undefined;
}
