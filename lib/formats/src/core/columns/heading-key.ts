import { toNfc } from '@survey/questionnaire/answers/plain-text';

/** HTML tags. A match stops at the next `<`, so that the search takes linear time. */
const TAGS = /<\/?[a-z!][^<>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};
/** Typographic quotes and dashes, which word processors write in place of plain ones. */
const QUOTES = /[‘’‚‛`´]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
const DASHES = /[‐‑‒–—−]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** Marks of required questions, and punctuation, at the end of a heading. */
const END_MARKS = /[\s*?!.:;,…؟。？！：]$/u;
const NUMBERING = /^(?:q(?:uestion)?\s*)?\d{1,4}\s*[.):]\s+/i;
/** Headings are compared by at most this many characters. */
const MAX_LENGTH = 2_000;

/** A heading or title for an exact comparison: form C, one space between words. */
export function toExactKey(text: string): string {
  return toNfc(text.slice(0, MAX_LENGTH)).replaceAll(/\s+/g, ' ').trim();
}

/**
 * A heading or title for a tolerant comparison: form KC, lower case, without HTML, and without punctuation and
 * asterisks at its end. Empty if nothing else is left.
 */
export function toLooseKey(text: string): string {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replaceAll(TAGS, ' ')
    .replaceAll(/&(?:nbsp|amp|lt|gt|quot|apos|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(DASHES, '-')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
  let end = plain.length;
  while (end > 0 && END_MARKS.test(plain.slice(end - 1, end))) end -= 1;
  return plain.slice(0, end);
}

/** A heading without the number of its question: `How was it?` of `3. How was it?`. */
export function withoutNumber(text: string): string {
  return text.replace(NUMBERING, '');
}

const MAX_QUOTED = 200;

/** The beginning of a heading, for messages. */
export function cutHeading(heading: string): string {
  return heading.slice(0, MAX_QUOTED).toWellFormed();
}
