import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';
import type { Histogram } from './chart.ts';
import { axisMargin, countScale, drawGrid } from './plot-axes.ts';
import { ACCENT, FONT_SIZE, LINE_HEIGHT, type SizedOptions, TONES, toAreas } from './plot-style.ts';

const MARGIN_TOP = 46;

/** Draws bins of single numbers as thick lines, and bins of ranges as rectangles. Mean and median are dashed lines. */
export function toHistogramPlot({ bins, mean, median }: Histogram, width: number): SizedOptions {
  const marginLeft = axisMargin(bins);
  const isDiscrete = bins.every(({ from, to }) => from === to);
  const froms = bins.map(({ from }) => from).toSorted((one, other) => one - other);
  const gaps = froms.slice(1).map((from, index) => from - (froms[index] ?? from));
  const gap = gaps.length === 0 ? 1 : Math.min(...gaps);
  const low = Math.min(...froms) - (isDiscrete ? gap / 2 : 0);
  const high = Math.max(...bins.map(({ to }) => to)) + (isDiscrete ? gap / 2 : 0);
  const strokeWidth = Math.min(44, Math.max(2, (0.75 * gap * (width - marginLeft - 10)) / (high - low)));
  const labelOf = ({ from, to }: Histogram['bins'][number]) =>
    formatNumber(from) + (from === to ? '' : ` to ${formatNumber(to)}`);
  const title = (bin: Histogram['bins'][number]) => `${labelOf(bin)}: ${formatNumber(bin.count)}`;
  const fill = ({ tone }: Histogram['bins'][number]) => (tone === undefined ? ACCENT : TONES[tone]);
  const drawn = bins.filter(({ count }) => count > 0);
  const lines = [
    ...(mean === undefined ? [] : [{ value: mean, name: 'Mean', dash: '5,3' }]),
    ...(median === undefined ? [] : [{ value: median, name: 'Median', dash: '2,3' }]),
  ];
  // Both labels are above the plot, on lines of their own: mean and median are often close.
  const labelTop = (index: number) => (index - 2) * LINE_HEIGHT;
  const isLeft = (value: number) => value < (low + high) / 2;
  const height = 240;
  const toX = (value: number) => marginLeft + ((value - low) / (high - low)) * (width - marginLeft - 10);
  return {
    width,
    height,
    areas: toAreas(
      bins.map((bin) => ({ ...bin, label: labelOf(bin) })),
      ({ from, to }) => {
        const x = toX(isDiscrete ? from - gap / 2 : from);
        return { x, y: MARGIN_TOP, width: toX(isDiscrete ? from + gap / 2 : to) - x, height: height - MARGIN_TOP };
      },
    ),
    marginLeft,
    marginRight: 10,
    marginTop: MARGIN_TOP,
    x: {
      domain: [low, high],
      label: null,
      ...(isDiscrete && bins.length <= 20 && bins.length * 24 < width ? { ticks: froms } : { ticks: width / 70 }),
      tickFormat: formatNumber,
    },
    y: countScale(bins),
    color: { type: 'identity' },
    marks: [
      drawGrid(bins),
      isDiscrete
        ? Plot.ruleX(drawn, { x: 'from', y1: 0, y2: 'count', stroke: fill, strokeWidth, title })
        : Plot.rectY(drawn, { x1: 'from', x2: 'to', y: 'count', fill, title, inset: 0.5 }),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ...lines.flatMap(({ value, name, dash }, index) => [
        Plot.ruleX([value], {
          stroke: 'currentColor',
          strokeDasharray: dash,
          strokeWidth: 1.5,
          insetTop: labelTop(index) - 4,
        }),
        Plot.text([value], {
          x: value,
          frameAnchor: 'top',
          text: [`${name} ${formatNumber(value)}`],
          textAnchor: isLeft(value) ? 'start' : 'end',
          dx: isLeft(value) ? 5 : -5,
          dy: labelTop(index),
          fontSize: FONT_SIZE,
          fill: 'currentColor',
          // An outline keeps the text readable where the line of the other number crosses it.
          stroke: 'var(--surface)',
          strokeWidth: 4,
        }),
      ]),
    ],
  };
}
