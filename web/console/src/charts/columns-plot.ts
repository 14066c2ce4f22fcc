import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';
import type { Columns } from './chart.ts';
import { axisMargin, countScale, drawGrid } from './plot-axes.ts';
import { ACCENT, CHARACTER_WIDTH, type SizedOptions, toAreas } from './plot-style.ts';

export function toColumnsPlot({ columns }: Columns, width: number): SizedOptions {
  const marginLeft = axisMargin(columns);
  const labels = columns.map(({ label }) => label);
  const maxLabelLength = Math.max(1, ...labels.map(({ length }) => length));
  const columnWidth = (width - marginLeft - 10) / Math.max(1, labels.length);
  const labelInterval = Math.max(1, Math.ceil(((maxLabelLength + 1.5) * CHARACTER_WIDTH) / columnWidth));
  const height = 220;
  return {
    width,
    height,
    areas: toAreas(columns, (_, index) => ({ x: marginLeft + index * columnWidth, y: 0, width: columnWidth, height })),
    marginLeft,
    marginRight: 10,
    marginTop: 14,
    x: {
      domain: labels,
      label: null,
      ticks: labels.filter((_, index) => index % labelInterval === 0),
      tickSize: 0,
      padding: 0.2,
    },
    y: countScale(columns),
    marks: [
      drawGrid(columns),
      Plot.barY(columns, {
        x: 'label',
        y: 'count',
        fill: ACCENT,
        title: ({ label, count }: Columns['columns'][number]) => `${label}: ${formatNumber(count)}`,
      }),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  };
}
