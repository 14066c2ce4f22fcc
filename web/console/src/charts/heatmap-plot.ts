import * as Plot from '@observablehq/plot';
import { formatNumber, formatShare } from '../ui/format.tsx';
import type { Heatmap } from './chart.ts';
import { bandLabels, toLabelBands, wrapLabel } from './label.ts';
import { ACCENT, CHARACTER_WIDTH, FONT_SIZE, LINE_HEIGHT, type SizedOptions, SOFT_COLOR } from './plot-style.ts';

export function toHeatmapPlot({ rows, columns, cells }: Heatmap, width: number): SizedOptions {
  const MIN_CELL = 44;
  const CELL_HEIGHT = 30;
  const GAP = 12;
  const cellWidth = Math.max(MIN_CELL, (width - 4) / Math.max(1, columns.length));
  const chartWidth = Math.max(width, cellWidth * columns.length + 4);
  const headers = columns.map((text) => wrapLabel(text, Math.max(3, Math.floor((cellWidth - 4) / CHARACTER_WIDTH)), 3));
  const headerHeight = Math.max(1, ...headers.map(({ length }) => length)) * LINE_HEIGHT + 12;
  const layout = { width, top: headerHeight, height: CELL_HEIGHT, gap: GAP };
  const { bands, nextTop: height } = toLabelBands(
    rows.map((label) => ({ label })),
    layout,
  );
  const drawnCells = cells.flatMap(({ row, column, count, share }) => {
    const band = bands[row];
    if (band === undefined) return [];
    const title = `${formatNumber(count)} · ${formatShare(share)}`;
    return [{ x1: column, x2: column + 1, y1: band.y1, y2: band.y2, share, title }];
  });
  const isDark = ({ share }: { readonly share: number }) => share > 0.5;
  return {
    width: chartWidth,
    height,
    margin: 0,
    marginLeft: 2,
    marginRight: 2,
    x: { domain: [0, columns.length], axis: null },
    y: { domain: [0, height], range: [0, height], axis: null },
    color: { type: 'identity' },
    opacity: { type: 'identity' },
    marks: [
      Plot.text(
        headers.map((lines, index) => ({ text: lines.join('\n'), x: index + 0.5 })),
        {
          x: 'x',
          y: headerHeight - 10,
          text: 'text',
          lineAnchor: 'bottom',
          lineHeight: LINE_HEIGHT / FONT_SIZE,
          fontSize: FONT_SIZE,
          fill: SOFT_COLOR,
        },
      ),
      bandLabels(bands),
      Plot.rect(drawnCells, { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', inset: 1, fill: 'var(--surface-sunken)', rx: 3 }),
      Plot.rect(drawnCells, {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        inset: 1,
        fill: ACCENT,
        // Opacities around a half have too little contrast with any text, so they are left out.
        fillOpacity: ({ share }: { readonly share: number }) => (share > 0.5 ? 0.7 + 0.3 * share : 0.5 * share),
        rx: 3,
        title: 'title',
      }),
      Plot.text(drawnCells, {
        x: ({ x1 }: (typeof drawnCells)[number]) => x1 + 0.5,
        y: ({ y1, y2 }: (typeof drawnCells)[number]) => (y1 + y2) / 2,
        text: ({ share }: (typeof drawnCells)[number]) => formatShare(share),
        fontSize: FONT_SIZE - 1,
        fill: (cell: (typeof drawnCells)[number]) => (isDark(cell) ? 'var(--accent-ink)' : 'currentColor'),
      }),
    ],
  };
}
