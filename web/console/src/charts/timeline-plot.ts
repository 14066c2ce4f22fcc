import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';
import type { Timeline } from './chart.ts';
import { axisMargin, countScale, drawGrid } from './plot-axes.ts';
import { ACCENT, FONT_SIZE, type SizedOptions, SOFT_COLOR } from './plot-style.ts';

export function toTimelinePlot({ points }: Timeline, width: number): SizedOptions {
  const counts = points.map(({ started, completed }) => ({ count: Math.max(started, completed) }));
  const marginLeft = axisMargin(counts);
  const x = (point: Timeline['points'][number]) => new Date(point.time);
  const legend = [
    { name: 'Started', left: 0, fill: SOFT_COLOR },
    { name: 'Completed', left: 90, fill: ACCENT },
  ];
  const hasDots = points.length <= 60;
  const title = ({ time, started, completed }: Timeline['points'][number]) =>
    `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}\nStarted: ${formatNumber(started)}\nCompleted: ${formatNumber(completed)}`;
  return {
    width,
    height: 260,
    marginLeft,
    marginRight: 20,
    marginTop: 34,
    marginBottom: 40,
    x: { type: 'utc', label: null, ticks: Math.min(points.length, Math.max(2, Math.floor(width / 90))) },
    y: countScale(counts),
    marks: [
      drawGrid(counts),
      Plot.areaY(points, { x, y: 'completed', fill: ACCENT, fillOpacity: 0.15 }),
      Plot.lineY(points, { x, y: 'started', stroke: SOFT_COLOR, strokeWidth: 1.5, strokeDasharray: '4,3' }),
      Plot.lineY(points, { x, y: 'completed', stroke: ACCENT, strokeWidth: 2 }),
      ...(points.length === 1
        ? [Plot.ruleX(points, { x, y1: 0, y2: 'completed', stroke: ACCENT, strokeWidth: 2 })]
        : []),
      ...(hasDots
        ? [
            Plot.dot(points, { x, y: 'started', r: 3, fill: SOFT_COLOR, title }),
            Plot.dot(points, { x, y: 'completed', r: 3.5, fill: ACCENT, title }),
          ]
        : []),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ...legend.flatMap((item) => [
        Plot.dot([item], { frameAnchor: 'top-left', dx: item.left + 5, dy: -22, r: 4.5, fill: item.fill }),
        Plot.text([item.name], {
          frameAnchor: 'top-left',
          dx: item.left + 15,
          dy: -28,
          fontSize: FONT_SIZE,
          fill: 'currentColor',
        }),
      ]),
    ],
  };
}
