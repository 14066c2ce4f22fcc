import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { surveyOf } from '../testing/survey-of.ts';

const options = ['a', 'b'];
const survey = compile(
  surveyOf([
    { id: 'single', type: 'single_choice', options },
    { id: 'open', type: 'single_choice', options, allow_other: true },
    { id: 'multi', type: 'multiple_choice', options },
    { id: 'multi_open', type: 'multiple_choice', options, allow_other: true },
    { id: 'text', type: 'text' },
    { id: 'rating', type: 'rating' },
    { id: 'likert', type: 'likert', options },
    { id: 'likert_rows', type: 'likert', options, rows: ['r1', 'r2'] },
    { id: 'matrix', type: 'matrix', rows: ['r1', '__proto__'], columns: ['c1', 'c2'] },
    { id: 'matrix_multi', type: 'matrix', rows: ['r1', 'r2'], columns: ['c1', 'c2'], multiple: true },
    { id: 'date', type: 'date' },
    { id: 'time', type: 'time' },
    { id: 'files', type: 'file_upload' },
  ]),
);

const FLAGS = [
  ...['multi[a]', 'multi[b]', 'multi_open[a]', 'multi_open[b]'],
  ...['matrix_multi[r1][c1]', 'matrix_multi[r1][c2]', 'matrix_multi[r2][c1]', 'matrix_multi[r2][c2]'],
];

const data = {
  single: 'a',
  open: { option: 'other', text: 'mine' },
  multi: ['a', 'b'],
  multi_open: { options: ['b'], other: 'more' },
  text: 'a "quoted", line',
  rating: 4,
  likert: 'b',
  likert_rows: { r2: 'a' },
  matrix: JSON.parse('{"r1": "c1", "__proto__": "c2"}'),
  matrix_multi: { r1: ['c1', 'c2'], r2: ['c2'] },
  date: '2024-02-29',
  time: '09:30',
  files: [{ file_id: 'f1' }, { file_id: 'f2' }],
};

function rowOf(cells: readonly string[]) {
  return Object.fromEntries(survey.columns.map(({ name }, index) => [name, cells[index] ?? '']));
}

describe('columns', () => {
  it('are named by question, option, row and column, in the order of the definition', () => {
    expect(survey.columns.map(({ name }) => name)).toEqual([
      'single',
      'open',
      'open.other',
      'multi[a]',
      'multi[b]',
      'multi_open[a]',
      'multi_open[b]',
      'multi_open.other',
      'text',
      'rating',
      'likert',
      'likert_rows[r1]',
      'likert_rows[r2]',
      'matrix[r1]',
      'matrix[__proto__]',
      'matrix_multi[r1][c1]',
      'matrix_multi[r1][c2]',
      'matrix_multi[r2][c1]',
      'matrix_multi[r2][c2]',
      'date',
      'time',
      'files',
    ]);
  });

  it('have the id of their question', () => {
    expect(survey.columns[3]).toEqual({
      name: 'multi[a]',
      question_id: 'multi',
      items: [{ list: 'options', id: 'a' }],
      kind: 'flag',
    });
  });

  it('have their items and the list of the ids in their cells', () => {
    const about = new Map(survey.columns.map(({ name, items, holds }) => [name, [items.map(({ id }) => id), holds]]));
    expect(Object.fromEntries(about)).toMatchObject({
      single: [[], 'options'],
      open: [[], 'options'],
      'open.other': [['other'], undefined],
      'multi_open.other': [['other'], undefined],
      text: [[], undefined],
      rating: [[], undefined],
      likert: [[], 'options'],
      'likert_rows[r2]': [['r2'], 'options'],
      'matrix[r1]': [['r1'], 'columns'],
      'matrix_multi[r1][c2]': [['r1', 'c2'], undefined],
      files: [[], undefined],
    });
  });
});

describe('the kind of a column', () => {
  it('is known for numbers, flags, days and times', () => {
    const kinds = Map.groupBy(survey.columns, ({ kind }) => kind);
    expect([...kinds].map(([kind, columns]) => [kind, columns.map(({ name }) => name)]).slice(1)).toEqual([
      ['flag', [...FLAGS]],
      ['number', ['rating']],
      ['date', ['date']],
      ['time', ['time']],
    ]);
  });
});

describe('cellsFromAnswers', () => {
  it('writes a cell for each column', () => {
    expect(survey.cellsFromAnswers(survey.validate(data).data)).toEqual([
      ...['a', 'other', 'mine', '1', '1', '', '1', 'more', 'a "quoted", line', '4', 'b', '', 'a', 'c1', 'c2'],
      ...['1', '1', '', '1', '2024-02-29', '09:30', 'f1|f2'],
    ]);
  });

  it('leaves the cells of unanswered questions empty', () => {
    expect(survey.cellsFromAnswers({})).toEqual(survey.columns.map(() => ''));
  });
});

describe('answersFromColumns', () => {
  it('reads back what was written', () => {
    const written = survey.cellsFromAnswers(survey.validate(data).data);
    const read = survey.answersFromColumns(rowOf(written));
    expect(read.errors).toEqual([]);
    expect(survey.validate(read.data, { lenient: true })).toEqual(survey.validate(data));
  });

  it('reads empty and missing cells as unanswered', () => {
    expect(survey.answersFromColumns({})).toEqual({ data: {}, errors: [] });
    expect(survey.answersFromColumns(rowOf([]))).toEqual({ data: {}, errors: [] });
  });

  it('ignores other columns', () => {
    expect(survey.answersFromColumns({ id: '1', 'single[a]': '1', constructor: 'x' })).toEqual({
      data: {},
      errors: [],
    });
  });

  it('accepts a text for other without the option other', () => {
    expect(survey.answersFromColumns({ 'open.other': 'x' }).data).toEqual({ open: { option: 'other', text: 'x' } });
    expect(survey.answersFromColumns({ 'multi_open.other': 'x' }).data).toEqual({
      multi_open: { options: [], other: 'x' },
    });
  });

  it('reads 0 and blank cells as not chosen', () => {
    expect(survey.answersFromColumns({ 'multi[a]': '0', 'multi[b]': ' 1 ' }).data).toEqual({ multi: ['b'] });
    expect(survey.answersFromColumns({ 'multi[a]': '0', 'multi[b]': ' ' }).data).toEqual({});
  });

  it.each<[{ [column: string]: string }, string, string]>([
    [{ 'multi[b]': 'yes' }, 'multi', 'the column [b] must be 1 or empty'],
    [{ 'matrix_multi[r1][c2]': '2' }, 'matrix_multi', 'the column [r1][c2] must be 1 or empty'],
  ])('rejects other cells: %j', (row, question_id, detail) => {
    expect(survey.answersFromColumns({ text: 'kept', ...row })).toEqual({
      data: { text: 'kept' },
      errors: [{ code: 'WRONG_TYPE', path: `/data/${question_id}`, detail, question_id }],
    });
  });

  it('rejects an option together with a text for other', () => {
    expect(survey.answersFromColumns({ open: 'a', 'open.other': 'x' }).errors).toMatchObject([
      { code: 'OTHER_NOT_ALLOWED', question_id: 'open' },
    ]);
  });
});
