import * as Plot from '@observablehq/plot';
import { wrapLabel } from './label.ts';
import { CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT } from './plot-style.ts';

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
