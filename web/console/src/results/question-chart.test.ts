import type { QuestionSummary } from '@survey/client';
import { describe, expect, it } from 'vitest';
import { toQuestionChart } from './question-chart.ts';

const question = (members: Partial<QuestionSummary>): QuestionSummary => ({
  question_id: 'q',
  type: 'text',
  answered: 4,
  skipped: 0,
  options: [],
  rows: [],
  page: 1,
  versions: [1],
  other_versions: [],
  shown: 4,
  unanswered: 0,
  not_shown: 0,
  histogram: [],
  periods: [],
  columns: [],
  ...members,
});

describe('the chart of a question', () => {
  it('has bars for options', () => {
    const chart = toQuestionChart(
      question({
        title: 'Drink',
        options: [
          { id: 'a', text: 'Tea', count: 1, share: 0.25 },
          { id: 'other', count: 3, share: 0.75 },
        ],
      }),
    );
    expect(chart).toMatchObject({ title: 'Drink', description: 'Most chosen: Other, 75%.' });
    expect(chart?.table.rows).toEqual([
      ['Tea', 1, 0.25],
      ['Other', 3, 0.75],
    ]);
  });

  it('draws the largest of many options', () => {
    const options = Array.from({ length: 50 }, (_, index) => ({ id: `o${index}`, count: index, share: 0 }));
    const chart = toQuestionChart(question({ options }));
    expect(chart?.drawing.kind === 'bars' && chart.drawing.bars[0]?.label).toBe('o49');
    expect(chart?.drawing.kind === 'bars' && chart.drawing.bars).toHaveLength(40);
    expect(chart?.note).toContain('40 largest of 50');
    expect(chart?.table.rows).toHaveLength(50);
  });

  it('has a histogram for numbers, with the groups of the net promoter score', () => {
    const chart = toQuestionChart(
      question({
        histogram: [6, 8, 9].map((from) => ({ from, to: from, count: 1 })),
        nps: { promoters: 1, passives: 1, detractors: 1, score: 0 },
        mean: 7.667,
        median: 8,
      }),
    );
    expect(chart?.drawing).toMatchObject({ bins: [{ tone: 'bad' }, { tone: 'warn' }, { tone: 'good' }], median: 8 });
    expect(chart?.description).toBe('Net promoter score 0. Mean 7.667. Median 8.');
    expect(toQuestionChart(question({ histogram: [{ from: 0, to: 2.5, count: 4 }] }))?.table.rows).toEqual([
      ['0 to 2.5', 4, 1],
    ]);
  });

  it('has a heatmap for rows, including for columns that nobody chose', () => {
    const chart = toQuestionChart(
      question({
        columns: [{ id: 'x', text: 'No' }, { id: 'y' }],
        rows: [{ id: 'r', text: 'Fast', answered: 2, options: [{ id: 'y', count: 2, share: 1 }] }],
      }),
    );
    expect(chart?.table.rows).toEqual([
      ['Fast', 'No', 0, 0],
      ['Fast', 'y', 2, 1],
    ]);
  });

  it('has periods for dates', () => {
    const chart = toQuestionChart(question({ type: 'date', periods: [{ period: '2026-02-28', count: 1 }] }));
    expect(chart).toMatchObject({ title: 'q', table: { rows: [['2026-02-28', 1, 0.25]] } });
  });

  it('is absent for texts, and without answers', () => {
    expect(toQuestionChart(question({}))).toBeUndefined();
    expect(toQuestionChart(question({ answered: 0, options: [{ id: 'a', count: 0, share: 0 }] }))).toBeUndefined();
  });
});
