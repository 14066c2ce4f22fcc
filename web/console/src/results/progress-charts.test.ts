import { expect, it } from 'vitest';
import { toDropOffChart, toPagesChart } from './progress-charts.ts';

it('shows which share of the responses reached a page', () => {
  const chart = toPagesChart(
    [
      { page: 1, title: 'Food', reached: 4, stopped: 3 },
      { page: 2, reached: 1, stopped: 0 },
    ],
    4,
  );
  expect(chart.table.rows).toEqual([
    ['1. Food', 4, 1, 3],
    ['Page 2', 1, 0.25, 0],
  ]);
  expect(chart.description).toBe('25% of the responses reached the last page.');
  expect(toPagesChart([{ page: 1, reached: 0, stopped: 0 }], 0).table.rows).toEqual([['Page 1', 0, 0, 0]]);
});

it('shows after which questions responses stopped', () => {
  const chart = toDropOffChart(
    [
      { question_id: '', count: 2, abandoned: 1, disqualified: 0 },
      { question_id: 'a', count: 1, abandoned: 0, disqualified: 1 },
      { question_id: 'gone', count: 0, abandoned: 0, disqualified: 0 },
    ],
    new Map([['a', 'First']]),
  );
  expect(chart.table.rows).toEqual([
    ['Before the first answer', 2, 0.5, 1, 1, 0],
    ['First', 2, 0.5, 1, 0, 1],
    ['gone', 0, 0, 0, 0, 0],
  ]);
});
