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
/** Typographic quotes, which word processors write in place of plain ones. */
const QUOTES = /[‘’‚‛`´]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
/** Typographic dashes. */
const DASHES = /[‐‑‒–—−]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** Marks of required questions, and punctuation, at the end of a heading. */
const END_MARKS = /[\s*?!.:;,…؟。？！：]$/u;
const NUMBERING = /^(?:q(?:uestion)?\s*)?\d{1,4}\s*[.):]\s+/i;
/** Headings are compared by at most this many characters. */
const MAX_COMPARED = 2_000;

/** A heading or title for an exact comparison: form C, one space between words. */
export function toExactKey(text: string): string {
  return toNfc(text.slice(0, MAX_COMPARED)).replaceAll(/\s+/g, ' ').trim();
}

/**
 * A heading or title for a tolerant comparison: form KC, lower case, with plain quotes and dashes. Without HTML,
 * invisible characters, and punctuation and asterisks at its end. Empty if nothing else is left.
 */
export function toLooseKey(text: string): string {
  const plain = text
    .slice(0, MAX_COMPARED)
    .replaceAll(TAGS, ' ')
    .replaceAll(/&(?:nbsp|amp|lt|gt|quot|apos|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    // Form KC would make a space and a combining accent of `´`.
    .replaceAll(QUOTES, "'")
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
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

/** A heading of two parts, such as the title of a question and the text of a row. */
export interface HeadingParts {
  readonly title: string;
  readonly part: string;
}

/** Separators between title and part, the most specific first. */
const SEPARATORS = [
  ' >> ',
  '>>',
  ' » ',
  ' › ',
  ' | ',
  ' / ',
  ' - ',
  ' – ',
  ' — ',
  ': ',
  ' : ',
  '/',
  ':',
  '|',
  '_',
  '.',
];
/** A title can contain separators. At most this many positions of each separator are tried. */
const MAX_POSITIONS = 16;
/** Longer headings are only compared as a whole. */
const MAX_SPLIT = 2_000;

/**
 * Splits a heading in each way that exports of survey tools use, the most specific first: `Title [Row]`, `Title (Row)`,
 * `Title >> Row`, `Title - Row`, `Title: Row` and so on. Brackets at the end can contain brackets.
 */
export function* splitHeading(heading: string): Generator<HeadingParts> {
  const text = heading.trim();
  if (text.length > MAX_SPLIT) return;
  yield* splitBrackets(text, '[', ']');
  yield* splitBrackets(text, '(', ')');
  for (const separator of SEPARATORS) {
    let at = text.indexOf(separator, 1);
    for (let count = 0; at !== -1 && count < MAX_POSITIONS; count += 1) {
      const [title, part] = [text.slice(0, at).trim(), text.slice(at + separator.length).trim()];
      if (title !== '' && part !== '') yield { title, part };
      at = text.indexOf(separator, at + separator.length);
    }
  }
}

/** Splits a text that ends with a closing bracket at each of its last 16 opening brackets. */
export function* splitBrackets(text: string, open: string, close: string): Generator<HeadingParts> {
  if (!text.endsWith(close)) return;
  let at = text.lastIndexOf(open);
  for (let count = 0; at > 0 && count < MAX_POSITIONS; count += 1) {
    const [title, part] = [text.slice(0, at).trim(), text.slice(at + 1, -1).trim()];
    if (title !== '' && part !== '') yield { title, part };
    at = text.lastIndexOf(open, at - 1);
  }
}

/** Splits the part of a heading of a matrix into row and column: `Row] [Column`, `Row - Column` and so on. */
export function* splitPart(part: string): Generator<readonly [row: string, column: string]> {
  const text = part.slice(0, MAX_SPLIT);
  let open = text.indexOf('[');
  for (let count = 0; open !== -1 && count < MAX_POSITIONS; count += 1) {
    const before = text.slice(0, open).trimEnd();
    if (before.endsWith(']')) {
      yield [before.slice(0, -1).trimEnd(), text.slice(open + 1).trimStart()];
    }
    open = text.indexOf('[', open + 1);
  }
  for (const { title, part: column } of splitHeading(part)) yield [title, column];
}
