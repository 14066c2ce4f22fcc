import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../files/import-file.ts';
import { findResponseReader } from '../../sources.ts';
import { DETECT_ALL } from '../../tables/table-options.ts';
import { writeXlsx } from '../../testing/write-xlsx.ts';
import { createFitResponse } from '../responses/fit.ts';

const QUESTIONS: readonly JsonObject[] = [
  { id: 'who', type: 'text', title: 'Who' },
  { id: 'zip', type: 'text', title: 'Postcode' },
  { id: 'pick', type: 'single_choice', title: 'Pick', options: ['Red', '2.00', '7'], allow_other: true },
  { id: 'years', type: 'single_choice', title: 'Years', options: ['0', '1-5', '6-10', '11+'], allow_other: true },
  { id: 'both', type: 'single_choice', title: 'Both', options: ['3-4', '4-3'] },
  { id: 'days', type: 'multiple_choice', title: 'Days', options: ['Mon', 'Tue'] },
  { id: 'n', type: 'text', title: 'Number', format: 'number' },
  { id: 'born', type: 'date', title: 'Born' },
];
const payload: JsonObject = {
  schema_version: '1.0',
  version: 1,
  survey: { title: 'T', supported_languages: ['en'], pages: [{ questions: [...QUESTIONS] }] },
};
const SOURCES = ['custom', 'table', 'google_forms', 'microsoft_forms', 'typeform', 'surveymonkey'];

/** Reads a table with titles as headings, and judges its responses like an import that keeps invalid answers. */
async function read(source: string, format: 'csv' | 'xlsx', file: string | Buffer) {
  const definition = compile(payload);
  const warnings: FieldProblem[] = [];
  const responses = findResponseReader({ source, format })?.(
    fileOf(file),
    { payload, definition },
    { unmask: undefined, table: DETECT_ALL, warn: (warning) => warnings.push(warning) },
  );
  const policy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false } as const;
  const fit = createFitResponse({ payload, definition, policy });
  return { judged: (await Array.fromAsync(responses ?? [])).map(fit), codes: warnings.map(({ code }) => code) };
}

describe.each(SOURCES)('a workbook read as %s', (source) => {
  it('has numbers as they are displayed in texts, and their values in numbers and options', async () => {
    const file = await writeXlsx({
      responses: [
        ['Who', 'Postcode', 'Pick', 'Number'],
        ['x', { value: 1234, format: '00000' }, { value: 2, format: '0.00' }, { value: 2.5, format: '0' }],
        ['y', 98_765, { value: 7, format: '0.00' }, { value: 1250, format: '#,##0.00' }],
      ],
    });
    expect((await read(source, 'xlsx', file)).judged).toMatchObject([
      { answers: { zip: '01234', pick: '2.00', n: '2.5' }, isPartial: false },
      { answers: { zip: '98765', pick: '7', n: '1250' }, isPartial: false },
    ]);
  });

  it('has no answers in cells with errors, and reports them', async () => {
    const file = await writeXlsx({
      responses: [
        ['Who', 'Postcode', 'Pick', 'Number', 'Days [Mon]', 'Unknown', 'Born'],
        ['x', ...['#N/A', '#REF!', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!'].map((error) => ({ error }))],
        ['y', 'fine', 'Red', 3, 1, '', ''],
      ],
    });
    const { judged } = await read(source, 'xlsx', file);
    expect(judged).toMatchObject([
      {
        answers: { who: 'x' },
        isPartial: true,
        metadata: { invalid_answers: { zip: '#N/A', pick: '#REF!', n: '#DIV/0!' } },
      },
      { answers: { who: 'y', zip: 'fine', pick: 'Red', n: '3', days: ['Mon'] }, isPartial: false },
    ]);
    const [first] = judged;
    const omissions = first !== undefined && 'omissions' in first ? first.omissions : [];
    expect(omissions.map(({ code, action }) => `${code} ${action}`).toSorted()).toEqual([
      'CELL_ERROR dropped',
      ...Array.from({ length: 5 }, () => 'CELL_ERROR kept'),
    ]);
  });

  it('has dates of spreadsheets as the options of which they were made', async () => {
    const file = await writeXlsx({
      responses: [
        ['Who', 'Years', 'Both'],
        ['x', { value: 46_027, format: 'd-mmm' }, 'none'],
        ['y', '11+', { value: 46_085, format: 'd-mmm' }],
      ],
    });
    const { judged, codes } = await read(source, 'xlsx', file);
    expect(judged).toMatchObject([
      { answers: { years: '1-5' } },
      { answers: { years: '11+' }, metadata: { invalid_answers: { both: '2026-03-04' } } },
    ]);
    expect(codes).toContain('READ_AS_OPTION');
  });
});

describe.each(SOURCES)('a text read as %s', (source) => {
  it('has dates of spreadsheets as the options of which they were made, and never as other', async () => {
    const { judged, codes } = await read(source, 'csv', 'Who,Years,Both\nx,5-Jan,3-Apr\ny,10-Jun,\nz,7-Jul,3-4\n');
    expect(judged).toMatchObject([
      { answers: { years: '1-5' }, metadata: { invalid_answers: { both: '3-Apr' } } },
      { answers: { years: '6-10' }, isPartial: false },
      { answers: { both: '3-4' }, metadata: { invalid_answers: { years: '7-Jul' } } },
    ]);
    expect(codes.filter((code) => code === 'READ_AS_OPTION')).toHaveLength(1);
  });

  it('has no dates of other calendars', async () => {
    const { judged } = await read(source, 'csv', 'Who,Born\nx,15/3/2569\ny,15/3/1997\n');
    expect(judged).toMatchObject([
      { answers: { who: 'x' }, omissions: [{ column: 'born', code: 'UNUSUAL_YEAR', action: 'kept' }] },
      { answers: { born: '1997-03-15' }, omissions: [] },
    ]);
  });
});
