import { describe, expect, it } from 'vitest';
import { toTimelineChart } from './timeline-chart.ts';

const item = (start: string, started: number) => ({ start, started, completed: 1, disqualified: 0 });

describe('the timeline', () => {
  it('falls to zero in gaps, which the table leaves out', () => {
    const { drawing, table } = toTimelineChart(
      [item('2026-01-01', 3), item('2026-01-03', 1), item('2026-01-31', 2)],
      'day',
    );
    const points = drawing.kind === 'timeline' ? drawing.points : [];
    expect(points.map(({ time, started }) => [new Date(time).toISOString().slice(0, 10), started])).toEqual([
      ['2026-01-01', 3],
      ['2026-01-02', 0],
      ['2026-01-03', 1],
      ['2026-01-04', 0],
      ['2026-01-30', 0],
      ['2026-01-31', 2],
    ]);
    expect(table.rows.map(([day]) => day)).toEqual(['2026-01-01', '2026-01-03', '2026-01-31']);
  });

  it('shows hours by the wall clock', () => {
    const { drawing, description } = toTimelineChart([item('2026-07-01T14:00+02:00', 3)], 'hour');
    expect(drawing).toEqual({
      kind: 'timeline',
      points: [{ time: Date.UTC(2026, 6, 1, 14), started: 3, completed: 1 }],
    });
    expect(description).toBe('3 started and 1 completed, by hour.');
  });
});
