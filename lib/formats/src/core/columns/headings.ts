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
const MAX_HEADING = 2_000;

/**
 * Splits a heading in each way that exports of survey tools use, the most specific first: `Title [Row]`, `Title (Row)`,
 * `Title >> Row`, `Title - Row`, `Title: Row` and so on. Brackets at the end can contain brackets.
 */
export function* splitHeading(heading: string): Generator<HeadingParts> {
  const text = heading.trim();
  if (text.length > MAX_HEADING) return;
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

/** Splits at each of the last opening brackets, if the text ends with a closing one. */
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
  const text = part.slice(0, MAX_HEADING);
  let open = text.indexOf('[');
  for (let count = 0; open !== -1 && count < MAX_POSITIONS; count += 1) {
    const before = text.slice(0, open).trimEnd();
    if (before.endsWith(']')) {
      yield [before.slice(0, -1).trimEnd(), text.slice(open + 1).trimStart()];
      break;
    }
    open = text.indexOf('[', open + 1);
  }
  for (const { title, part: rest } of splitHeading(part)) yield [title, rest];
}
