import type { TimelineInterval } from '@survey/client';
import type { Chart, Timeline } from '../charts/chart.ts';
import { formatNumber } from '../ui/format.tsx';

const HOUR_MS = 3_600_000;
const STEPS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;

/** Responses over time. */
export function toTimelineChart(timeline: readonly TimelineInterval[], interval: keyof typeof STEPS_MS): Chart {
  const started = sum(timeline.map((item) => item.started));
  const completed = sum(timeline.map((item) => item.completed));
  return {
    title: 'Responses over time',
    description: `${formatNumber(started)} started and ${formatNumber(completed)} completed, by ${interval}.`,
    drawing: { kind: 'timeline', points: toPoints(timeline, STEPS_MS[interval]) },
    table: {
      columns: [
        { header: interval === 'hour' ? 'Hour' : interval === 'day' ? 'Day' : 'Week from' },
        { header: 'Started', format: 'number' },
        { header: 'Completed', format: 'number' },
        { header: 'Disqualified', format: 'number' },
      ],
      rows: timeline.map((item) => [item.start.replace('T', ' '), item.started, item.completed, item.disqualified]),
    },
  };
}

/** Adds points with zeros beside gaps, so that a line falls to zero there. */
function toPoints(timeline: readonly TimelineInterval[], step: number): Timeline['points'] {
  const points: { time: number; started: number; completed: number }[] = [];
  for (const { start, started, completed } of timeline) {
    const time = toWallClock(start);
    const last = points.at(-1);
    if (last !== undefined && time > last.time + step) {
      points.push({ time: last.time + step, started: 0, completed: 0 });
      if (time - step > last.time + step) points.push({ time: time - step, started: 0, completed: 0 });
    }
    points.push({ time, started, completed });
  }
  return points;
}

/** Drops the offset, such as in `2025-10-01T14:00+02:00`. */
function toWallClock(start: string): number {
  return Date.parse(start.length === 10 ? `${start}T00:00Z` : `${start.slice(0, 16)}Z`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
