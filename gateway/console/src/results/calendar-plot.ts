import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';
import type { Calendar } from './chart.ts';
import { ACCENT, FONT_SIZE, type SizedOptions, SOFT } from './plot-style.ts';

const DAY_MS = 86_400_000;
/** Days from a Monday to the first of January 1970. */
const WEEK_OFFSET = 3;

export function toCalendarPlot({ days }: Calendar, width: number): SizedOptions {
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
        text: ({ date }: (typeof cells)[number], index: number) =>
          date.getUTCMonth() === 0 || index === 0
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

/** Number of the week of a day since 1970. Weeks begin on Monday. */
function weekOf(day: number): number {
  return Math.floor((day + WEEK_OFFSET) / 7);
}
