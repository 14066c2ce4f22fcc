import type { ImportPlan } from '@survey/client';
import { expect, it } from 'vitest';
import { describePlan } from './describe-plan.ts';

const PLAN: ImportPlan = {
  ...{ source: 'custom', format: 'csv', dialect: 'separator ","', is_partial: false, rows: 3 },
  ...{ columns: [], targets: [], problems: [], warnings: [], suggestions: [] },
};
const column: Omit<ImportPlan['columns'][number], 'column' | 'heading' | 'target'> = {
  ...{ question_id: '', found_by: '', confidence: 0, contents: {}, problems: [], suggestion: '' },
};

it('describes a file that is no table in a line', () => {
  expect(describePlan({ ...PLAN, format: 'json', dialect: '' })).toEqual(['custom json']);
});

it('describes columns, problems and options that would help', () => {
  const plan = {
    ...PLAN,
    columns: [
      { ...column, column: 1, heading: 'When', target: 'submitted_at' },
      { ...column, column: 2, heading: 'Tast', target: '', suggestion: 'taste' },
      { ...column, column: 3, heading: 'Why', target: '', problems: ['the column can be q1, q2'] },
    ],
    warnings: [{ path: '', code: 'NOT_IMPORTED', detail: 'lost' }],
    problems: [{ path: '', code: 'AMBIGUOUS_DATE', detail: 'two ways' }],
    suggestions: [{ name: 'date_format', values: ['DD/MM/YYYY', 'MM/DD/YYYY'] }],
  };
  expect(describePlan(plan)).toEqual([
    'custom csv (separator ","), 3 rows',
    '#1 When: submitted_at',
    '#2 Tast: not imported, perhaps taste',
    '#3 Why: not imported; the column can be q1, q2',
    'warning NOT_IMPORTED: lost',
    'problem AMBIGUOUS_DATE: two ways',
    '--date-format can be DD/MM/YYYY or MM/DD/YYYY',
  ]);
});
