import * as Plot from '@observablehq/plot';
import { formatNumber, formatShare } from '../ui/format.tsx';
import type { Bars, Calendar, Columns, Drawing, Heatmap, Histogram, Timeline } from './chart.ts';
import { countTicks } from './count-ticks.ts';
import { wrapLabel } from './label.ts';

/** Loaded only when a chart is shown: Observable Plot is large. */

const FONT_SIZE = 13;
/** Width of an average character, in px. */
const CHARACTER = 7.2;
const LINE = 17;
const DAY_MS = 86_400_000;
const TONES = { good: 'var(--good)', warn: 'var(--warn)', bad: 'var(--bad)' } as const;
const ACCENT = 'var(--accent)';
const SOFT = 'var(--ink-soft)';

type SizedOptions = Plot.PlotOptions & Required<Pick<Plot.PlotOptions, 'width' | 'height'>>;

/**
 * Draws a chart. Colors are tokens of the console.
 *
 * @param width in px; drawings with many columns can be wider
 */
export function drawChart(drawing: Drawing, width: number): SVGElement {
  const svg = Plot.plot(toOptions(drawing, width));
  // The policy of the page forbids style elements. Styles of the console have these rules.
  svg.querySelector('style')?.remove();
  // Plot names groups, which have no role that permits names. The drawing as a whole has one.
  for (const group of svg.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  svg.setAttribute('font-size', String(FONT_SIZE));
  if (!(svg instanceof SVGElement)) throw new Error('Plot returned no SVG');
  return svg;
}

/** An empty drawing that keeps the place of a chart, so that nothing moves when the chart is drawn. */
export function drawPlaceholder(drawing: Drawing, width: number): SVGElement {
  const options = toOptions(drawing, width);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', String(options.width));
  svg.setAttribute('height', String(options.height));
  return svg;
}

function toOptions(drawing: Drawing, width: number): SizedOptions {
  switch (drawing.kind) {
    case 'bars':
      return toBars(drawing, width);
    case 'histogram':
      return toHistogram(drawing, width);
    case 'columns':
      return toColumns(drawing, width);
    case 'timeline':
      return toTimeline(drawing, width);
    case 'heatmap':
      return toHeatmap(drawing, width);
    case 'calendar':
      return toCalendar(drawing, width);
  }
}

/** The text of a bar is above it, so that long ones have space on narrow screens. */
function toBars({ bars }: Bars, width: number): SizedOptions {
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

function toHistogram({ bins, mean, median }: Histogram, width: number): SizedOptions {
  const marginLeft = marginFor(bins);
  const isDiscrete = bins.every(({ from, to }) => from === to);
  const froms = bins.map(({ from }) => from).toSorted((one, other) => one - other);
  const gaps = froms.slice(1).map((from, index) => from - (froms[index] ?? from));
  const gap = gaps.length === 0 ? 1 : Math.min(...gaps);
  const low = Math.min(...froms) - (isDiscrete ? gap / 2 : 0);
  const high = Math.max(...bins.map(({ to }) => to)) + (isDiscrete ? gap / 2 : 0);
  const strokeWidth = Math.min(44, Math.max(2, (0.75 * gap * (width - marginLeft - 10)) / (high - low)));
  const title = ({ from, to, count }: Histogram['bins'][number]) =>
    `${formatNumber(from)}${from === to ? '' : ` to ${formatNumber(to)}`}: ${formatNumber(count)}`;
  const fill = ({ tone }: Histogram['bins'][number]) => (tone === undefined ? ACCENT : TONES[tone]);
  const drawn = bins.filter(({ count }) => count > 0);
  const lines = [
    ...(mean === undefined ? [] : [{ value: mean, name: 'Mean', dash: '5,3' }]),
    ...(median === undefined ? [] : [{ value: median, name: 'Median', dash: '2,3' }]),
  ];
  // Both labels are above the plot, on lines of their own: mean and median are often close.
  const labels = lines.map((line, index) => ({ ...line, index }));
  const isLeft = (value: number) => value < (low + high) / 2;
  return {
    width,
    height: 240,
    marginLeft,
    marginRight: 10,
    marginTop: 46,
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
      ...labels.flatMap(({ value, name, dash, index }) => [
        Plot.ruleX([value], {
          stroke: 'currentColor',
          strokeDasharray: dash,
          strokeWidth: 1.5,
          insetTop: index * LINE - 2 * LINE - 4,
        }),
        Plot.text([value], {
          x: value,
          frameAnchor: 'top',
          text: [`${name} ${formatNumber(value)}`],
          textAnchor: isLeft(value) ? 'start' : 'end',
          dx: isLeft(value) ? 5 : -5,
          dy: index * LINE - 2 * LINE,
          fontSize: FONT_SIZE,
          fill: 'currentColor',
          // The line of the other number can cross the text.
          stroke: 'var(--surface)',
          strokeWidth: 4,
        }),
      ]),
    ],
  };
}

function toColumns({ columns }: Columns, width: number): SizedOptions {
  const marginLeft = marginFor(columns);
  const labels = columns.map(({ label }) => label);
  const longest = Math.max(1, ...labels.map(({ length }) => length));
  const step = (width - marginLeft - 10) / Math.max(1, labels.length);
  const every = Math.max(1, Math.ceil(((longest + 1.5) * CHARACTER) / step));
  return {
    width,
    height: 220,
    marginLeft,
    marginRight: 10,
    marginTop: 14,
    x: {
      domain: labels,
      label: null,
      ticks: labels.filter((_, index) => index % every === 0),
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

function toTimeline({ points }: Timeline, width: number): SizedOptions {
  const counts = points.map(({ started, completed }) => ({ count: Math.max(started, completed) }));
  const marginLeft = marginFor(counts);
  const x = (point: Timeline['points'][number]) => new Date(point.time);
  const legend = [
    { name: 'Started', x: marginLeft, fill: SOFT },
    { name: 'Completed', x: marginLeft + 90, fill: ACCENT },
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
      Plot.lineY(points, { x, y: 'started', stroke: SOFT, strokeWidth: 1.5, strokeDasharray: '4,3' }),
      Plot.lineY(points, { x, y: 'completed', stroke: ACCENT, strokeWidth: 2 }),
      ...(points.length === 1
        ? [Plot.ruleX(points, { x, y1: 0, y2: 'completed', stroke: ACCENT, strokeWidth: 2 })]
        : []),
      ...(hasDots
        ? [
            Plot.dot(points, { x, y: 'started', r: 3, fill: SOFT, title }),
            Plot.dot(points, { x, y: 'completed', r: 3.5, fill: ACCENT, title }),
          ]
        : []),
      Plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ...legend.flatMap((item) => [
        Plot.dot([item], { frameAnchor: 'top-left', dx: item.x - marginLeft + 5, dy: -22, r: 4.5, fill: item.fill }),
        Plot.text([item.name], {
          frameAnchor: 'top-left',
          dx: item.x - marginLeft + 15,
          dy: -28,
          fontSize: FONT_SIZE,
          fill: 'currentColor',
        }),
      ]),
    ],
  };
}

/** The text of a row is above its cells, as in bars. */
function toHeatmap({ rows, columns, cells }: Heatmap, width: number): SizedOptions {
  const MIN_CELL = 44;
  const CELL_HEIGHT = 30;
  const GAP = 12;
  const cellWidth = Math.max(MIN_CELL, (width - 4) / Math.max(1, columns.length));
  const wide = Math.max(width, cellWidth * columns.length + 4);
  const headers = columns.map((text) => wrapLabel(text, Math.max(3, Math.floor((cellWidth - 4) / CHARACTER)), 3));
  const headerHeight = Math.max(1, ...headers.map(({ length }) => length)) * LINE + 12;
  let top = headerHeight;
  const bands = rows.map((text) => {
    const lines = wrapLabel(text, Math.floor((Math.min(width, wide) - 10) / CHARACTER), 2);
    const y1 = top + lines.length * LINE + 3;
    const band = { label: lines.join('\n'), y0: top, y1, y2: y1 + CELL_HEIGHT };
    top = band.y2 + GAP;
    return band;
  });
  const height = top;
  const drawn = cells.flatMap(({ row, column, count, share }) => {
    const band = bands[row];
    if (band === undefined) return [];
    const title = `${formatNumber(count)} · ${formatShare(share)}`;
    return [{ x1: column, x2: column + 1, y1: band.y1, y2: band.y2, share, title }];
  });
  const isDark = ({ share }: { readonly share: number }) => share > 0.5;
  return {
    width: wide,
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
          lineHeight: LINE / FONT_SIZE,
          fontSize: FONT_SIZE,
          fill: SOFT,
        },
      ),
      Plot.text(bands, {
        x: 0,
        y: 'y0',
        text: 'label',
        textAnchor: 'start',
        lineAnchor: 'top',
        lineHeight: LINE / FONT_SIZE,
        fontSize: FONT_SIZE,
        fill: 'currentColor',
      }),
      Plot.rect(drawn, { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', inset: 1, fill: 'var(--surface-sunken)', rx: 3 }),
      Plot.rect(drawn, {
        x1: 'x1',
        x2: 'x2',
        y1: 'y1',
        y2: 'y2',
        inset: 1,
        fill: ACCENT,
        // Half transparent colors would have too little contrast to any text.
        fillOpacity: ({ share }: { readonly share: number }) => (share > 0.5 ? 0.7 + 0.3 * share : 0.5 * share),
        rx: 3,
        title: 'title',
      }),
      Plot.text(drawn, {
        x: ({ x1 }: (typeof drawn)[number]) => x1 + 0.5,
        y: ({ y1, y2 }: (typeof drawn)[number]) => (y1 + y2) / 2,
        text: ({ share }: (typeof drawn)[number]) => formatShare(share),
        fontSize: FONT_SIZE - 1,
        fill: (cell: (typeof drawn)[number]) => (isDark(cell) ? 'var(--accent-ink)' : 'currentColor'),
      }),
    ],
  };
}

function toCalendar({ days }: Calendar, width: number): SizedOptions {
  const MAX_CELL = 22;
  const MIN_CELL = 13;
  const left = 34;
  const times = days.map(({ day, count }) => ({ day, count, number: Math.floor(Date.parse(day) / DAY_MS) }));
  const first = weekOf(times[0]?.number ?? 0);
  const weeks = weekOf(times.at(-1)?.number ?? 0) - first + 1;
  const cell = Math.min(MAX_CELL, Math.max(MIN_CELL, Math.floor((width - left - 4) / weeks)));
  const counts = new Map(times.map(({ number, count }) => [number, count]));
  const most = Math.max(1, ...times.map(({ count }) => count));
  const cells = Array.from({ length: weeks * 7 }, (_, index) => {
    const number = first * 7 + index - WEEK_OFFSET;
    const date = new Date(number * DAY_MS);
    return { date, week: Math.floor(index / 7), weekday: index % 7, count: counts.get(number) ?? 0 };
  });
  const months = cells.filter(({ date, week, weekday }) => date.getUTCDate() === 1 || (week === 0 && weekday === 0));
  // The name of the first month is left out, if the second one begins next to it.
  const second = months[1];
  const named = second !== undefined && second.week * cell < 34 ? months.slice(1) : months;
  const monthName = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
  const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
  const fullName = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
  const top = 36;
  const gridWidth = weeks * cell;
  return {
    width: Math.max(width, left + gridWidth + 4),
    height: top + 7 * cell + 4,
    margin: 0,
    x: { domain: [0, gridWidth], range: [left, left + gridWidth], axis: null },
    y: { domain: [0, 7 * cell], range: [top, top + 7 * cell], axis: null },
    opacity: { type: 'identity' },
    marks: [
      Plot.rect(cells, {
        x1: ({ week }: (typeof cells)[number]) => week * cell,
        x2: ({ week }: (typeof cells)[number]) => (week + 1) * cell,
        y1: ({ weekday }: (typeof cells)[number]) => weekday * cell,
        y2: ({ weekday }: (typeof cells)[number]) => (weekday + 1) * cell,
        fill: 'var(--surface-sunken)',
        inset: 1,
        rx: 2,
      }),
      Plot.rect(
        cells.filter(({ count }) => count > 0),
        {
          x1: ({ week }: (typeof cells)[number]) => week * cell,
          x2: ({ week }: (typeof cells)[number]) => (week + 1) * cell,
          y1: ({ weekday }: (typeof cells)[number]) => weekday * cell,
          y2: ({ weekday }: (typeof cells)[number]) => (weekday + 1) * cell,
          fill: ACCENT,
          fillOpacity: ({ count }: (typeof cells)[number]) => 0.25 + (0.75 * count) / most,
          inset: 1,
          rx: 2,
          title: ({ date, count }: (typeof cells)[number]) => `${fullName.format(date)}: ${formatNumber(count)}`,
        },
      ),
      Plot.text(named, {
        x: ({ week }: (typeof cells)[number]) => week * cell,
        y: 0,
        dy: -8,
        text: ({ date, week }: (typeof cells)[number]) =>
          date.getUTCMonth() === 0 || week === 0
            ? `${monthName.format(date)}\n${date.getUTCFullYear()}`
            : monthName.format(date),
        textAnchor: 'start',
        lineAnchor: 'bottom',
        fontSize: FONT_SIZE - 2,
        fill: SOFT,
      }),
      Plot.text(
        cells.filter(({ week, weekday }) => week === 0 && weekday % 2 === 0),
        {
          x: 0,
          dx: -6,
          y: ({ weekday }: (typeof cells)[number]) => (weekday + 0.5) * cell,
          text: ({ date }: (typeof cells)[number]) => dayName.format(date),
          textAnchor: 'end',
          fontSize: FONT_SIZE - 2,
          fill: SOFT,
        },
      ),
    ],
  };
}

/** Days from a Monday to the first of January 1970. */
const WEEK_OFFSET = 3;

/** Number of the week of a day since 1970. Weeks begin on Monday. */
function weekOf(day: number): number {
  return Math.floor((day + WEEK_OFFSET) / 7);
}

interface Counted {
  readonly count: number;
}

function countScale(items: readonly Counted[]): Plot.ScaleOptions {
  const most = mostOf(items);
  return {
    // Space above the highest one, for its dot.
    domain: [0, most * 1.04],
    label: null,
    ticks: countTicks(most),
    tickFormat: formatNumber,
    tickSize: 0,
  };
}

function drawGrid(items: readonly Counted[]): Plot.Markish {
  return Plot.gridY(countTicks(mostOf(items)), { stroke: 'var(--line)', strokeOpacity: 1 });
}

/** Space for the numbers of a vertical axis. */
function marginFor(items: readonly Counted[]): number {
  return 12 + formatNumber(mostOf(items)).length * 8;
}

/** The largest count; 1 if there is none. */
function mostOf(items: readonly Counted[]): number {
  return items.reduce((most, { count }) => Math.max(most, count), 1);
}
