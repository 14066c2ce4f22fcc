import type { Crosstab, QuestionSummary, ResponseGrouping } from '@survey/client';
import { describe, expect, it } from 'vitest';
import { describeMean, describeTests, namesOfGroups, toCrosstabChart } from './crosstab-chart.ts';

const question = (given: Partial<QuestionSummary>): QuestionSummary => ({
  ...{ question_id: 'q', type: 'single_choice', title: 'Your drink', page: 1, versions: [1], other_versions: [] },
  ...{ answered: 12, skipped: 0, shown: 12, unanswered: 0, not_shown: 0 },
  ...{ options: [], rows: [], histogram: [], periods: [], columns: [] },
  ...given,
});

const tested = (p: number, cramers_v: number): Crosstab => ({
  groups: [],
  test: { chi_squared: 6.4, degrees_of_freedom: 1, p, cramers_v },
});

const drink = question({
  options: [
    { id: 'tea', text: 'Tea', count: 9, share: 0.75 },
    { id: 'other', count: 3, share: 0.25 },
  ],
  crosstab: {
    groups: [
      {
        ...{ answered: 8, answered_share: 2 / 3, unanswered: 0, not_shown: 0 },
        cells: [
          { count: 6, row_share: 2 / 3, column_share: 0.75 },
          { count: 2, row_share: 2 / 3, column_share: 0.25 },
        ],
      },
      { answered: 4, answered_share: 1 / 3, unanswered: 0, not_shown: 0, cells: [{}, {}] },
    ],
    no_test: 'hidden_cells',
  },
});

describe('the chart of a question by groups', () => {
  it('has bars, a table, and a CSV with both percentages', () => {
    const chart = toCrosstabChart(drink, ['A', 'B']);
    expect(chart?.drawing).toEqual({
      kind: 'grouped-bars',
      groups: ['A', 'B'],
      lines: [
        {
          label: 'Tea',
          bars: [
            { count: 6, share: 0.75 },
            { count: undefined, share: undefined },
          ],
        },
        {
          label: 'Other',
          bars: [
            { count: 2, share: 0.25 },
            { count: undefined, share: undefined },
          ],
        },
      ],
    });
    expect(chart?.table.columns.map(({ header }) => header)).toEqual([
      ...['Answer', 'A', 'A, share', 'B', 'B, share', 'All', 'All, share'],
    ]);
    expect(chart?.table.rows[0]).toEqual(['Tea', 6, 0.75, undefined, undefined, 9, 0.75]);
    expect(chart?.csv?.rows.slice(0, 3)).toEqual([
      [undefined, 'Tea', 'A', 6, 0.75, 2 / 3],
      [undefined, 'Tea', 'B', undefined, undefined, undefined],
      [undefined, 'Tea', 'All', 9, 0.75, 1],
    ]);
    expect(chart?.note).toBeUndefined();
  });

  it('has the numbers of groups in the CSV', () => {
    const stars = question({
      ...{ type: 'rating', answered: 2, mean: 3, histogram: [{ from: 3, to: 3, count: 2 }] },
      crosstab: {
        groups: [
          {
            ...{ answered: 2, answered_share: 1, cells: [{ count: 2, row_share: 1, column_share: 1 }] },
            ...{ mean: 3, mean_interval: { low: 2, high: 4 }, median: 3 },
          },
        ],
      },
    });
    const csv = toCrosstabChart(stars, ['A'])?.csv;
    expect(csv?.columns.map(({ header }) => header).slice(6)).toEqual([
      ...['Mean', 'Mean from', 'Mean to', 'Median', 'Net promoter score'],
    ]);
    expect(csv?.rows.map((row) => row.slice(1))).toEqual([
      ['3', 'A', 2, 1, 1],
      ['3', 'All', 2, 1, 1],
      ['Answered', 'A', 2, undefined, 1, 3, 2, 4, 3, undefined],
      ['Answered', 'All', 2, undefined, 1, 3, undefined, undefined, undefined, undefined],
    ]);
  });

  it('has a line for each option of each row', () => {
    const rows = question({
      columns: [{ id: 'good', text: 'Good' }],
      rows: [
        {
          ...{ id: 'fit', text: 'Fit', answered: 1, options: [{ id: 'good', count: 1, share: 1 }] },
          crosstab: {
            groups: [{ answered: 1, answered_share: 1, cells: [{ count: 1, row_share: 1, column_share: 1 }] }],
            no_test: 'too_few_cells',
          },
        },
      ],
      crosstab: { groups: [{ answered: 1, answered_share: 1, cells: [] }] },
    });
    expect(toCrosstabChart(rows, ['A'])?.table.rows).toEqual([['Fit: Good', 1, 1, 1, 1]]);
    expect(describeTests(rows)).toEqual(['Fit: Not tested: fewer than two groups or options have answers.']);
  });

  it('counts answers that it cannot tell apart', () => {
    const text = question({
      type: 'text',
      crosstab: { groups: [{ answered: 3, answered_share: 0.25, unanswered: 1, not_shown: 0, cells: [] }] },
    });
    expect(toCrosstabChart(text, ['A'])?.table.rows).toEqual([['Answered', 3, 0.75, 12, undefined]]);
    const manyDays = { ...text, type: 'date', periods: [{ period: '2026-01', count: 12 }] };
    expect(toCrosstabChart(manyDays, ['A'])?.table.rows).toEqual([['Answered', 3, 0.75, 12, undefined]]);
  });

  it('is cut, and says so', () => {
    const names = Array.from({ length: 9 }, (_, index) => `G${index}`);
    const chart = toCrosstabChart(drink, names);
    expect(chart?.drawing).toMatchObject({ groups: names.slice(0, 8) });
    expect(chart?.note).toContain('The table and the CSV have all.');
  });

  it('is missing for questions without groups or answers', () => {
    expect(toCrosstabChart(question({}), ['A'])).toBeUndefined();
    expect(toCrosstabChart({ ...drink, answered: 0 }, ['A', 'B'])).toBeUndefined();
  });
});

describe('the verdict', () => {
  it.each([
    [0.0004, 0.05, 'The groups differ significantly. The association is very weak.', 'p < 0.001'],
    [0.011, 0.22, 'The groups differ significantly. The association is weak.', 'p = 0.011'],
    [0.049, 0.3, 'The groups differ significantly. The association is moderate.', 'p = 0.049'],
    [0.01, 0.9, 'The groups differ significantly. The association is strong.', 'p = 0.01'],
    [0.0497, 0.3, 'The groups differ significantly. The association is moderate.', 'p < 0.05'],
    [0.05, 0.2, 'The groups do not differ significantly.', 'p = 0.05'],
  ])('of p = %d and V = %d is in words', (p, v, words, numbers) => {
    const [verdict] = describeTests(question({ crosstab: tested(p, v) }));
    expect(verdict).toBe(`${words} (χ² = 6.4, 1 degree of freedom, ${numbers}, Cramér's V = ${v})`);
  });

  it('says why there is no test', () => {
    const crosstab: Crosstab = { groups: [], no_test: 'low_expected_count' };
    expect(describeTests(question({ crosstab }))).toEqual(['Not tested: an expected count is under 5.']);
    expect(describeTests(question({ crosstab: { groups: [] } }))).toEqual([]);
  });
});

it('names groups', () => {
  const grouping = (by: string | undefined): ResponseGrouping => ({
    ...(by === undefined ? { by_question: 'q' } : { by }),
    groups: [
      { kind: 'value', value: 'a', ...(by === undefined ? { text: 'Tea' } : {}), responses: 1 },
      { kind: 'none', value: '', responses: 1 },
      { kind: 'other', value: '', responses: 1 },
    ],
    overlapping: false,
    more_values: false,
  });
  const slugOf = (id: string) => (id === 'a' ? 'spring' : undefined);
  expect(namesOfGroups(grouping(undefined), slugOf)).toEqual(['Tea', 'Not answered', 'All others']);
  expect(namesOfGroups(grouping('link'), slugOf)).toEqual(['spring', 'Own address', 'All others']);
  expect(namesOfGroups(grouping('language'), slugOf)).toEqual(['a', 'No language', 'All others']);
  expect(namesOfGroups(grouping('metadata.team'), slugOf)).toEqual(['a', 'None', 'All others']);
});

it('describes means', () => {
  const cells: Crosstab['groups'][number]['cells'] = [];
  expect(describeMean({ cells })).toBe('hidden');
  expect(describeMean({ answered: 0, cells })).toBe('no answers');
  expect(describeMean({ answered: 9, cells })).toBe('hidden');
  expect(describeMean({ answered: 1, mean: 2, cells })).toBe('2');
  expect(describeMean({ answered: 9, mean: 4.123, mean_interval: { low: 3, high: 5.246 }, cells })).toBe(
    '4.12 (3 to 5.25)',
  );
  const nps = { promoters: 1, passives: 0, detractors: 0, score: 100 };
  expect(describeMean({ answered: 1, mean: 9, nps, cells })).toBe('9, net promoter score 100');
});
