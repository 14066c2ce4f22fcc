import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';

/** A text of a definition: one string for all languages, or a string by language. */
export type Text = string | Readonly<Record<string, string>>;

/** Makes a text of translations, without empty ones. Returns a string if only one language is passed. */
export function textOf(byLanguage: readonly (readonly [language: string, text: string])[]): Text {
  const given = byLanguage.filter(([, text]) => text !== '');
  const [first] = given;
  if (first === undefined) return '';
  return byLanguage.length === 1 ? first[1] : Object.fromEntries(given);
}

/** Joins two texts in all languages of both. */
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

/** Joins texts. Halving avoids copying the joined text for each part. */
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

export function mapText(text: Text, change: (text: string) => string): Text {
  if (typeof text === 'string') return change(text);
  return Object.fromEntries(Object.entries(text).map(([language, one]) => [language, change(one)]));
}

export function textsOf(text: JsonValue | undefined): readonly string[] {
  if (typeof text === 'string') return [text];
  return isObject(text) ? Object.values(text as JsonObject).filter((value) => typeof value === 'string') : [];
}

export function isEmptyText(text: Text): boolean {
  return textsOf(text).every((value) => value.trim() === '');
}

export function toJsonText(text: Text): JsonValue {
  return typeof text === 'string' ? text : { ...text };
}

/** The text in a language, or in its first language if there is no translation. */
function inLanguage(text: Text, language: string): string {
  return typeof text === 'string' ? text : (text[language] ?? Object.values(text)[0] ?? '');
}
