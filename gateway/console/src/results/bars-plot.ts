import * as Plot from '@observablehq/plot';
import { formatNumber, formatShare } from '../ui/format.tsx';
import type { Bars } from './chart.ts';
import { wrapLabel } from './label.ts';
import { ACCENT, CHARACTER, FONT_SIZE, LINE, type SizedOptions, SOFT } from './plot-style.ts';

/** The text of a bar is above it, so that long ones have space on narrow screens. */
export function toBarsPlot({ bars }: Bars, width: number): SizedOptions {
  const marginRight = 110;
  const BAR = 14;
  const GAP = 14;
  let top = 0;
  const rows = bars.map(({ label, count, share }) => {
    const lines = wrapLabel(label, Math.floor((width - 10) / CHARACTER), 2);
    const y = top + lines.length * LINE + 3;
    const row = { label: lines.join('\n'), y0: top, y1: y, y2: y + BAR, count, share };
    top = row.y2 + GAP;
    return row;
  });
  return {
    width,
    height: Math.max(top - GAP, BAR) + 6,
    marginLeft: 2,
    marginRight,
    marginTop: 2,
    marginBottom: 4,
    x: { domain: [0, 1], axis: null },
    y: { domain: [0, Math.max(top - GAP, BAR)], range: [2, Math.max(top - GAP, BAR) + 2], axis: null },
    marks: [
      Plot.rect(rows, { x1: 0, x2: 1, y1: 'y1', y2: 'y2', fill: 'var(--surface-sunken)', rx: 3 }),
      Plot.rect(
        rows.filter(({ share }) => share > 0),
        { x1: 0, x2: 'share', y1: 'y1', y2: 'y2', fill: ACCENT, rx: 3 },
      ),
      Plot.text(rows, {
        x: 0,
        y: 'y0',
        text: 'label',
        textAnchor: 'start',
        lineAnchor: 'top',
        lineHeight: LINE / FONT_SIZE,
        fontSize: FONT_SIZE,
        fill: 'currentColor',
      }),
      Plot.text(rows, {
        x: 1,
        dx: 8,
        y: (row: (typeof rows)[number]) => (row.y1 + row.y2) / 2,
        text: ({ count, share }: (typeof rows)[number]) => `${formatNumber(count)} · ${formatShare(share)}`,
        textAnchor: 'start',
        fontSize: FONT_SIZE,
        fill: SOFT,
      }),
    ],
  };
}
