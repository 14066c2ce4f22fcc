/** Characters that are about twice as wide as others: Chinese, Japanese, Korean, and emoji. */
const DOUBLE_WIDTH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303F\uFF00-\uFF60]/u;
/** Latin letters and signs that are wider than the average. */
const WIDE = /[mwMW@%]/;

/** Removes characters that SVG cannot contain, and line breaks. */
export function cleanLabel(text: string): string {
  return text
    .replace(/[\p{Cc}\s\uFFFE\uFFFF]+/gu, ' ')
    .trim()
    .toWellFormed();
}

/**
 * Breaks a text into lines for a drawing. Long words are cut, and an ellipsis shows that the text continues.
 *
 * @param maxWidth width of a line in average characters, at least 3
 */
export function wrapLabel(text: string, maxWidth: number, maxLines: number): readonly string[] {
  // Cut the text first, because some texts have 10,000 characters. The rest would never be drawn.
  const words = cleanLabel(text.slice(0, 2 * (maxWidth + 1) * (maxLines + 1))).split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words.flatMap((long) => cutWord(long, maxWidth))) {
    if (line === '') line = word;
    else if (widthOf(line) + 1 + widthOf(word) <= maxWidth) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  const last = cutWord(lines[maxLines - 1] ?? '', maxWidth - 1)[0] ?? '';
  return [...lines.slice(0, maxLines - 1), `${last}…`];
}

/** Cuts a word into parts that are not wider than a line. */
function cutWord(word: string, maxWidth: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const character of word) {
    const added = widthOf(character);
    if (part !== '' && width + added > maxWidth) {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += character;
    width += added;
  }
  return [...parts, part];
}

/** Estimates the width of a text in average characters. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += DOUBLE_WIDTH.test(character) ? 2 : WIDE.test(character) ? 1.5 : 1;
  return width;
}
