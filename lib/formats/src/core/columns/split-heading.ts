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
const MAX_LENGTH = 2_000;

/**
 * Splits a heading in each way that exports of survey tools use, the most specific first: `Title [Row]`, `Title (Row)`,
 * `Title >> Row`, `Title - Row`, `Title: Row` and so on. Brackets at the end can contain brackets.
 */
export function* splitHeading(heading: string): Generator<HeadingParts> {
  const text = heading.trim();
  if (text.length > MAX_LENGTH) return;
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
  const text = part.slice(0, MAX_LENGTH);
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
