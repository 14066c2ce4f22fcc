import * as Plot from '@observablehq/plot';
import { CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT } from './plot-style.ts';

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

interface Layout {
  /** Width of the chart, in px. */
  readonly width: number;
  /** Start of the first band, in px. */
  readonly top: number;
  /** Height of the content of a band, and the space between bands, in px. */
  readonly height: number;
  readonly gap: number;
}

/** A band of a chart: its label from `y0` to `y1`, and its content from there to `y2`, in px. */
interface LabelBand {
  readonly label: string;
  readonly y0: number;
  readonly y1: number;
  readonly y2: number;
}

/** Puts bands below each other, each with its label above its content, so that long labels fit on narrow screens. */
export function toLabelBands<T extends Pick<LabelBand, 'label'>>(
  items: readonly T[],
  { width, top, height, gap }: Layout,
) {
  let nextTop = top;
  const bands = items.map((item): T & LabelBand => {
    const lines = wrapLabel(item.label, Math.floor((width - 10) / CHARACTER_WIDTH), 2);
    const y1 = nextTop + lines.length * LINE_HEIGHT + 3;
    const band = { ...item, label: lines.join('\n'), y0: nextTop, y1, y2: y1 + height };
    nextTop = band.y2 + gap;
    return band;
  });
  return { bands, nextTop };
}

export function bandLabels(bands: readonly LabelBand[]): Plot.Text {
  return Plot.text(bands, {
    x: 0,
    y: 'y0',
    text: 'label',
    textAnchor: 'start',
    lineAnchor: 'top',
    lineHeight: LINE_HEIGHT / FONT_SIZE,
    fontSize: FONT_SIZE,
    fill: 'currentColor',
  });
}
