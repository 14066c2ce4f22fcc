import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { compile } from 'html-to-text';
import type { Warn } from './reader.ts';

/** A text of a definition: one string for all languages, or a string by language. */
export type Text = string | Readonly<Record<string, string>>;

/** Makes a text of translations, without empty ones. Returns a string if only one language is passed. */
export function textOf(byLanguage: readonly (readonly [language: string, text: string])[]): Text {
  const given = byLanguage.filter(([, text]) => text !== '');
  const [first] = given;
  if (first === undefined) return '';
  return byLanguage.length === 1 ? first[1] : Object.fromEntries(given);
}

/** Joins two texts, in all languages of both. */
export function joinTexts(one: Text, other: Text, separator: string): Text {
  return joinAllTexts([one, other], separator);
}

/** Joins texts, in all of their languages. Empty texts are skipped. */
export function joinAllTexts(texts: readonly Text[], separator: string): Text {
  const filled = texts.filter((text) => !isEmptyText(text));
  const languages = new Set(filled.flatMap((text) => (typeof text === 'string' ? [] : Object.keys(text))));
  const joinedIn = (language: string) => filled.map((text) => inLanguage(text, language)).join(separator);
  return languages.size === 0
    ? joinedIn('')
    : Object.fromEntries([...languages].map((language) => [language, joinedIn(language)]));
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

/** The title of a survey whose file has none. */
export const UNTITLED = 'Imported survey';

/** Text of an `other` answer that had no text in the other tool. */
export const OTHER_TEXT = 'Other';

/** Converts HTML to plain text. `path` is its location in the file. */
export type HtmlToText = (html: string, path: string) => string;

/** Maximum characters of a text. Longer texts usually contain images; they are cut off with a warning. */
const MAX_HTML = 512 * 1024;
/** If HTML is nested deeper, its tags are only removed, because converting nested elements takes quadratic time. */
const MAX_DEPTH = 100;
/** Maximum number of tags per file that are converted to lines and lists. Beyond that, tags are only removed. */
const MAX_TAGS = 50_000;

/** Possible start of a tag or character reference. */
const MARKUP = /<[a-z/!?]|&[a-z#]/i;
/** HTML tags. A match stops at the next `<`, so that the search takes linear time. */
const TAGS = /<(\/?)([a-z][a-z0-9]*|[!?])[^<>]*>?/gi;
/** Void elements, and elements with an optional end tag. */
const CLOSED_BY_THEMSELVES = new Set(
  'area base br col dd dt embed hr img input li link meta option p source td th tr wbr ! ?'.split(' '),
);
/** Maximum number and length of the converted texts that are cached for a file. */
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 500;
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML },
  formatters: {
    // Images become their `alt` text. Their addresses in the other tool are of no use here.
    imageText: ({ attribs }, _walk, builder) => builder.addInline(String(attribs['alt'] ?? '')),
    cell: ({ children }, walk, builder) => {
      walk(children, builder);
      builder.addInline(' ');
    },
  },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', format: 'imageText' },
    { selector: 'hr', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Converts the HTML texts of one file to plain text. Warns once if markup is removed. */
export function createHtmlToText(warn: Warn): HtmlToText {
  let hasWarned = false;
  let tagsLeft = MAX_TAGS;
  const cache = new Map<string, string>();
  return (given, path) => {
    if (!MARKUP.test(given)) return given.trim();
    const cached = cache.get(given);
    if (cached !== undefined) return cached;
    const html = given.slice(0, MAX_HTML).toWellFormed();
    if (html.length < given.length) {
      warn({
        path,
        code: 'HTML_REMOVED',
        detail: `The text is longer than ${MAX_HTML} characters and is cut off`,
      });
    }
    const { tags, depth } = measure(html);
    if (tags > 0 && !hasWarned) {
      hasWarned = true;
      const detail = 'HTML texts become plain text without formatting and images (reported once)';
      warn({ path, code: 'HTML_REMOVED', detail });
    }
    tagsLeft -= tags;
    const stripsTags = depth > MAX_DEPTH || tagsLeft < 0;
    const text = convert(stripsTags ? html.replace(TAGS, ' ') : html).trim();
    // Cache short texts: many questions have the same choices.
    if (given.length <= MAX_CACHED_LENGTH && cache.size < MAX_CACHED) cache.set(given, text);
    return text;
  };
}

function measure(html: string): { readonly tags: number; readonly depth: number } {
  let tags = 0;
  let open = 0;
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(TAGS)) {
    tags += 1;
    if (CLOSED_BY_THEMSELVES.has(name.toLowerCase())) continue;
    open = slash === '' ? open + 1 : Math.max(0, open - 1);
    depth = Math.max(depth, open);
  }
  return { tags, depth };
}
