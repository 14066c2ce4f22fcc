import * as Plot from '@observablehq/plot';
import { formatNumber } from '../ui/format.tsx';
import type { Calendar } from './chart.ts';
import { ACCENT, FONT_SIZE, type SizedOptions, SOFT_COLOR, toAreas } from './plot-style.ts';

const DAY_MS = 86_400_000;
/** Days from a Monday to the first of January 1970. */
const WEEK_OFFSET = 3;

/** Draws a column for each week and a row for each weekday. Days with more answers have a stronger color. */
export function toCalendarPlot({ days }: Calendar, width: number): SizedOptions {
  const MAX_CELL = 22;
  const MIN_CELL = 13;
  const left = 34;
  const dayCounts = days.map((day) => ({ ...day, dayNumber: Math.floor(Date.parse(day.day) / DAY_MS) }));
  const firstWeek = weekOf(dayCounts[0]?.dayNumber ?? 0);
  const weekCount = weekOf(dayCounts.at(-1)?.dayNumber ?? 0) - firstWeek + 1;
  const cell = Math.min(MAX_CELL, Math.max(MIN_CELL, Math.floor((width - left - 4) / weekCount)));
  const counts = new Map(dayCounts.map(({ dayNumber, count }) => [dayNumber, count]));
  const most = Math.max(1, ...dayCounts.map(({ count }) => count));
  const cells = Array.from({ length: weekCount * 7 }, (_, index) => {
    const dayNumber = firstWeek * 7 + index - WEEK_OFFSET;
    const date = new Date(dayNumber * DAY_MS);
    return { date, week: Math.floor(index / 7), weekday: index % 7, count: counts.get(dayNumber) ?? 0 };
  });
  const months = cells.filter(({ date, week, weekday }) => date.getUTCDate() === 1 || (week === 0 && weekday === 0));
  // The name of the first month is left out, if the second one begins next to it.
  const second = months[1];
  const labelledMonths = second !== undefined && second.week * cell < 34 ? months.slice(1) : months;
  const monthName = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
  const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
  const fullName = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
  const top = 36;
  const gridWidth = weekCount * cell;
  return {
    width: Math.max(width, left + gridWidth + 4),
    height: top + 7 * cell + 4,
    areas: toAreas(
      dayCounts.map((day) => ({ ...day, label: fullName.format(day.dayNumber * DAY_MS) })),
      ({ dayNumber }) => ({
        x: left + (weekOf(dayNumber) - firstWeek) * cell,
        y: top + ((dayNumber + WEEK_OFFSET) % 7) * cell,
        width: cell,
        height: cell,
      }),
    ),
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
      Plot.text(labelledMonths, {
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
        fill: SOFT_COLOR,
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
          fill: SOFT_COLOR,
        },
      ),
    ],
  };
}

/** Number of the week of a day since 1970. Weeks begin on Monday. */
function weekOf(day: number): number {
  return Math.floor((day + WEEK_OFFSET) / 7);
}
