import * as Plot from '@observablehq/plot';
import { formatNumber, formatShare } from '../ui/format.tsx';
import type { Bars } from './chart.ts';
import { bandLabels, toLabelBands } from './label.ts';
import { ACCENT, FONT_SIZE, type SizedOptions, SOFT_COLOR, toAreas } from './plot-style.ts';

export function toBarsPlot({ bars }: Bars, width: number): SizedOptions {
  const marginRight = 110;
  const BAR_HEIGHT = 14;
  const GAP = 14;
  const { bands: rows, nextTop } = toLabelBands(bars, { width, top: 0, height: BAR_HEIGHT, gap: GAP });
  const bottom = Math.max(nextTop - GAP, BAR_HEIGHT);
  return {
    width,
    height: bottom + 6,
    marginLeft: 2,
    marginRight,
    marginTop: 2,
    marginBottom: 4,
    x: { domain: [0, 1], axis: null },
    y: { domain: [0, bottom], range: [2, bottom + 2], axis: null },
    areas: toAreas(bars, (_, index) => {
      const { y0 = 0, y2 = 0 } = rows[index] ?? {};
      return { x: 0, y: y0, width, height: y2 - y0 + 4 };
    }),
    marks: [
      Plot.rect(rows, { x1: 0, x2: 1, y1: 'y1', y2: 'y2', fill: 'var(--surface-sunken)', rx: 3 }),
      Plot.rect(
        rows.filter(({ share }) => share > 0),
        { x1: 0, x2: 'share', y1: 'y1', y2: 'y2', fill: ACCENT, rx: 3 },
      ),
      bandLabels(rows),
      Plot.text(rows, {
        x: 1,
        dx: 8,
        y: (row: (typeof rows)[number]) => (row.y1 + row.y2) / 2,
        text: ({ count, share }: (typeof rows)[number]) => `${formatNumber(count)} · ${formatShare(share)}`,
        textAnchor: 'start',
        fontSize: FONT_SIZE,
        fill: SOFT_COLOR,
      }),
    ],
  };
}
