import { describe, expect, it } from 'vitest';
import { toPeriodsDrawing } from './periods-drawing.ts';

const draw = (...periods: readonly string[]) => toPeriodsDrawing(periods.map((period) => ({ period, count: 2 })));
const labels = (drawing: ReturnType<typeof draw>) =>
  drawing.kind === 'columns' ? drawing.columns.map(({ label, count }) => `${label} ${count}`) : drawing.kind;

describe('the drawing of dates', () => {
  it('is a calendar for days of a year', () => {
    expect(draw('2026-01-31', '2026-12-01')).toEqual({
      kind: 'calendar',
      days: [
        { day: '2026-01-31', count: 2, answers: { is: '2026-01-31' } },
        { day: '2026-12-01', count: 2, answers: { is: '2026-12-01' } },
      ],
    });
  });

  it('has months, years or decades for longer times, and fills gaps', () => {
    expect(labels(draw('2024-11-01', '2024-11-02', '2026-01-01')).slice(0, 3)).toEqual([
      '2024-11 4',
      '2024-12 0',
      '2025-01 0',
    ]);
    expect(labels(draw('2010', '2012'))).toEqual(['2010 2', '2011 0', '2012 2']);
    expect(labels(draw('1895-01-01', '2012-01-01')).slice(0, 2)).toEqual(['1890s 2', '1900s 0']);
    expect(labels(draw('0001-01-01', '9999-01-01'))).toHaveLength(10);
  });

  it('has all hours of a day', () => {
    expect(labels(draw('14:00')).slice(13, 15)).toEqual(['13:00 0', '14:00 2']);
  });

  it('can be empty', () => {
    expect(draw()).toEqual({ kind: 'columns', columns: [] });
  });
});
