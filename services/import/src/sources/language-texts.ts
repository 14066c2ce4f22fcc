import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';

/** A text of a definition: the same in every language, or by language. */
export type Text = string | Readonly<Record<string, string>>;

/** The text in several languages; those that are empty are left out, and what is the same in one language is a string. */
export function textOf(byLanguage: readonly (readonly [language: string, text: string])[]): Text {
  const given = byLanguage.filter(([, text]) => text !== '');
  const [first] = given;
  if (first === undefined) return '';
  return byLanguage.length === 1 ? first[1] : Object.fromEntries(given);
}

/** Two texts as one, in every language that either has. */
export function joinTexts(one: Text, other: Text, separator: string): Text {
  if (isEmptyText(one)) return other;
  if (isEmptyText(other)) return one;
  if (typeof one === 'string' && typeof other === 'string') return `${one}${separator}${other}`;
  const languages = new Set([one, other].flatMap((text) => (typeof text === 'string' ? [] : Object.keys(text))));
  return Object.fromEntries(
    [...languages].map((language) => [
      language,
      `${inLanguage(one, language)}${separator}${inLanguage(other, language)}`,
    ]),
  );
}

/** Several texts as one; by halves, for each step copies what is joined. */
export function joinAllTexts(texts: readonly Text[], separator: string): Text {
  const [one = '', other = ''] = texts;
  if (texts.length <= 2) return joinTexts(one, other, separator);
  const half = Math.ceil(texts.length / 2);
  return joinTexts(
    joinAllTexts(texts.slice(0, half), separator),
    joinAllTexts(texts.slice(half), separator),
    separator,
  );
}

/** A text changed in every language. */
export function mapText(text: Text, change: (text: string) => string): Text {
  if (typeof text === 'string') return change(text);
  return Object.fromEntries(Object.entries(text).map(([language, one]) => [language, change(one)]));
}

/** All texts that it is in some language. */
export function textsOf(text: JsonValue | undefined): readonly string[] {
  if (typeof text === 'string') return [text];
  return isObject(text) ? Object.values(text as JsonObject).filter((value) => typeof value === 'string') : [];
}

export function isEmptyText(text: Text): boolean {
  return textsOf(text).every((value) => value.trim() === '');
}

/** As a JSON value, which a definition is made of. */
export function toJsonText(text: Text): JsonValue {
  return typeof text === 'string' ? text : { ...text };
}

/** In a language, or where it is not translated to that in the first one that it has. */
function inLanguage(text: Text, language: string): string {
  return typeof text === 'string' ? text : (text[language] ?? Object.values(text)[0] ?? '');
}
