/** Removes characters that SVG cannot contain, and line breaks. */
export function cleanLabel(text: string): string {
  return text
    .replace(/[\p{Cc}\s\uFFFE\uFFFF]+/gu, ' ')
    .trim()
    .toWellFormed();
}

/**
 * Breaks a text into lines for a drawing. Long words are cut, and an ellipsis shows that the text goes on.
 *
 * @param maxLength characters of a line, at least 2
 */
export function wrapLabel(text: string, maxLength: number, maxLines: number): readonly string[] {
  // More than this is never drawn, and some texts have 10,000 characters.
  const words = cleanLabel(text.slice(0, (maxLength + 1) * (maxLines + 1))).split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words.flatMap((long) => cutWord(long, maxLength))) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= maxLength) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const shown = lines.slice(0, maxLines);
  const isCut = lines.length > maxLines;
  const last = shown.at(-1) ?? '';
  if (isCut) shown[shown.length - 1] = `${last.slice(0, maxLength - 1).toWellFormed()}…`;
  return shown;
}

function cutWord(word: string, maxLength: number): readonly string[] {
  const characters = [...word];
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += maxLength)
    parts.push(characters.slice(start, start + maxLength).join(''));
  return parts;
}
