// biome-ignore-all lint/suspicious/noTemplateCurlyInString: forms name their questions so
import { describe, expect, it } from 'vitest';
import { readSurveyjsSurvey } from '../surveyjs/survey.ts';
import { rejectionOf } from '../testing/read-files.ts';
import { readSurveyToEnd } from '../testing/read-to-end.ts';
import { readXlsformCsvSurvey } from '../xlsform/survey.ts';
import { createBudget } from './budget.ts';
import type { SurveyFileReader } from './reader.ts';

const numbers = (length: number) => Array.from({ length }, (_, index) => `${index}`);

const dropdown = (rows: number, columns: number, cellType: string) =>
  JSON.stringify({
    elements: [
      {
        type: 'matrixdropdown',
        name: 'm',
        cellType,
        rows: numbers(rows),
        choices: numbers(1_000),
        columns: numbers(columns).map((name) => ({ name })),
      },
    ],
  });

const selects = [
  'survey,,\n,type,name',
  ...numbers(1_000).map((name) => `,select_one l,q${name}`),
  'choices,,\n,list_name,name',
  ...numbers(1_000).map((name) => `,l,${name}`),
].join('\n');

const FILES: readonly (readonly [string, SurveyFileReader, string, string])[] = [
  ['a million cells', readSurveyjsSurvey, dropdown(1_000, 1_000, 'text'), '1000 questions'],
  ['a thousand columns of a thousand rows', readSurveyjsSurvey, dropdown(1_000, 1_000, 'dropdown'), '1048576 bytes'],
  ['two thousand columns', readSurveyjsSurvey, dropdown(1, 2_000, 'dropdown'), '1000 questions'],
  ['one list for a thousand questions', readXlsformCsvSurvey, selects, '1048576 bytes'],
  [
    'questions beyond the limit',
    readXlsformCsvSurvey,
    ['survey,,\n,type,name', ...numbers(1_001).map((name) => `,text,q${name}`)].join('\n'),
    '1000 questions',
  ],
];

describe('small files that expand to large surveys', () => {
  it.each(FILES)('%s are rejected', async (_, read, file, limit) => {
    const [rejection, ...others] = await rejectionOf(readSurveyToEnd(read, file));
    expect(others).toEqual([]);
    expect(rejection).toMatchObject({ code: 'LIMIT_EXCEEDED', detail: expect.stringContaining(limit) });
  });

  it('the error names the row of the sheet', async () => {
    const [rejection] = await rejectionOf(readSurveyToEnd(readXlsformCsvSurvey, selects));
    expect(rejection).toMatchObject({ path: '', detail: expect.stringMatching(/^sheet survey, row \d+: /) });
  });
});

describe('createBudget', () => {
  it('checks without counting, and counts taken questions', () => {
    const budget = createBudget((problem) => problem);
    budget.requireCapacityFor(1_000, [], '');
    budget.take({ id: 'a' }, '');
    budget.requireCapacityFor(999, [], '');
    expect(() => budget.requireCapacityFor(1_000, [], '')).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }));
    expect(() => budget.requireCapacityFor(900, ['x'.repeat(2_000)], '/a')).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: '/a', code: 'LIMIT_EXCEEDED' })] }),
    );
  });

  it('limits source_data separately from the survey', () => {
    const budget = createBudget((problem) => problem);
    const kept = { id: 'a', source_data: { logo: 'x'.repeat(20_000_000) } };
    for (let count = 0; count < 3; count += 1) budget.take(kept, '');
    const detail = expect.stringMatching(/67108864 bytes of source_data up to here, the limit of an import$/);
    expect(() => budget.take(kept, '')).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ detail })] }),
    );
  });
});
