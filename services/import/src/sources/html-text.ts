import { compile } from 'html-to-text';
import type { Warn } from './reader.ts';

/** A text that is HTML in the file, as plain text. The path says where it stands there. */
export type HtmlToText = (html: string, path: string) => string;

/** Longer texts carry images inside; what is beyond is cut off, with a warning. */
const MAX_HTML = 512 * 1024;
/** What it costs to make a text of nested elements grows with the square of how many are open. */
const MAX_DEPTH = 100;
/** What is made a text with all its lines and lists, in tags of one file; of more, the tags are only taken off. */
const MAX_TAGS = 50_000;

/** What could begin a tag, or name a character. */
const MARKUP = /<[a-z/!?]|&[a-z#]/i;
/** Stops at the next `<`, so that it takes linear time. */
const TAGS = /<(\/?)([a-z][a-z0-9]*|[!?])[^<>]*>?/gi;
/** Elements that are empty, or end where the next one begins. */
const CLOSED_BY_THEMSELVES = new Set(
  'area base br col dd dt embed hr img input li link meta option p source td th tr wbr ! ?'.split(' '),
);
/** Texts of one file that are remembered, and how long they are at the most. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 500;
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML },
  formatters: {
    // An image says what it shows; the address of a file of the other tool would say nothing here.
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

/** Makes plain texts of one file's HTML: what a browser would not show as text is taken off, with one warning. */
export function createHtmlToText(warn: Warn): HtmlToText {
  let hasWarned = false;
  let tagsLeft = MAX_TAGS;
  const known = new Map<string, string>();
  return (given, path) => {
    if (!MARKUP.test(given)) return given.trim();
    const before = known.get(given);
    if (before !== undefined) return before;
    const html = given.slice(0, MAX_HTML).toWellFormed();
    if (html.length < given.length) {
      warn({
        path,
        code: 'HTML_REMOVED',
        detail: `The text is longer than ${MAX_HTML} characters, and is cut off there`,
      });
    }
    const { tags, depth } = measure(html);
    if (tags > 0 && !hasWarned) {
      hasWarned = true;
      const detail = 'Texts are HTML, here and maybe elsewhere; they become plain text, without formatting and images';
      warn({ path, code: 'HTML_REMOVED', detail });
    }
    tagsLeft -= tags;
    const isPlain = depth > MAX_DEPTH || tagsLeft < 0;
    const text = convert(isPlain ? html.replace(TAGS, ' ') : html).trim();
    // The choices of many questions are the same.
    if (given.length <= MAX_KNOWN_LENGTH && known.size < MAX_KNOWN) known.set(given, text);
    return text;
  };
}

/** How many tags there are, and how many elements are open at once at the most. */
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
