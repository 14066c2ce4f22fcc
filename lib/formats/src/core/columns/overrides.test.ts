import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../files/import-file.ts';
import { planImport } from '../../plans/plan-import.ts';
import { findResponseReader } from '../../sources.ts';
import { DETECT_ALL } from '../../tables/table-options.ts';
import { readResponsesToEnd } from '../../testing/read-to-end.ts';
import { createFitResponse } from '../responses/fit.ts';
import { isRejected } from '../responses/response.ts';
import { mergeAnswers, withoutItem } from './overrides.ts';

const items = (...ids: readonly string[]) => ids.map((id) => ({ id, text: id, source_data: { source_id: id } }));
const QUESTIONS = [
  { id: 'meal', type: 'single_choice', title: 'Meal', options: items('soup', 'rice'), allow_other: true },
  { id: 'days', type: 'multiple_choice', title: 'Days', options: items('mon', 'tue', 'wed'), allow_other: true },
  { id: 'agree', type: 'likert', title: 'Agree', options: items('no', 'yes'), rows: items('fast', 'good') },
  { id: 'when', type: 'matrix', title: 'When', rows: items('am', 'pm'), columns: items('a', 'b'), multiple: true },
  { id: 'note', type: 'text', title: 'Note' },
];
const typeOf = new Map(QUESTIONS.map(({ id, type }) => [id, type]));

/** A survey of a tool, with the codes that its tables have as headings. */
function surveyOf(sourceDataOf: (question: (typeof QUESTIONS)[number]) => JsonObject) {
  const questions = QUESTIONS.map((question) => ({ ...question, source_data: sourceDataOf(question) }));
  const payload: JsonObject = {
    schema_version: '1.0',
    version: 1,
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] },
  };
  return { payload, definition: compile(payload) };
}
const LIMESURVEY_TYPES: Readonly<Record<string, string>> = {
  single_choice: 'L',
  multiple_choice: 'M',
  likert: 'F',
  matrix: ':',
  text: 'S',
};
const limesurvey = surveyOf(({ id, type }) => ({ source_id: id, type: LIMESURVEY_TYPES[type] ?? '' }));
const xlsform = surveyOf(({ id }) => ({ source_id: id }));
const qualtrics = surveyOf(({ id }) => ({ source_id: id, export_tag: id }));

interface Mapped {
  readonly columns: Readonly<Record<string, string>>;
  readonly source?: string;
  readonly survey?: typeof limesurvey;
}

async function importOf(text: string, { columns, source = 'limesurvey', survey = limesurvey }: Mapped) {
  const table = { ...DETECT_ALL, columns: Object.entries(columns).map(([heading, target]) => ({ heading, target })) };
  const reader = findResponseReader({ source, format: 'csv' });
  if (reader === undefined) throw new Error('there is no reader');
  const { responses, warnings } = await readResponsesToEnd(reader, text, survey, { table });
  const policy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false } as const;
  const fit = createFitResponse({ ...survey, policy });
  const planned = await planImport(fileOf(text), {
    given: { source },
    filename: '',
    survey,
    unmask: undefined,
    table,
    isPartial: false,
  });
  return { judged: responses.map(fit), warnings, planned, responses };
}

describe('an answer of a mapped column', () => {
  it.each([
    ['days', ['mon'], ['tue'], ['mon', 'tue'], []],
    ['days', { options: ['mon'], other: 'Sun' }, ['mon'], { options: ['mon'], other: 'Sun' }, []],
    [
      'days',
      { options: [], other: 'Sun' },
      { options: [], other: 'Sat' },
      { options: [], other: 'Sat' },
      ['days.other'],
    ],
    ['agree', { fast: 'no', good: 'yes' }, { fast: 'yes' }, { fast: 'yes', good: 'yes' }, ['agree[fast]']],
    ['when', { am: ['a'], pm: ['b'] }, { am: ['b'] }, { am: ['a', 'b'], pm: ['b'] }, []],
    ['meal', 'soup', 'rice', 'rice', ['meal']],
    ['meal', 'soup', 'soup', 'soup', []],
    ['meal', { option: 'other', text: 'Stew' }, 'other', { option: 'other', text: 'Stew' }, []],
    [
      'meal',
      { option: 'other', text: 'Other' },
      { option: 'other', text: 'Pie' },
      { option: 'other', text: 'Pie' },
      [],
    ],
    ['note', 'x', 'y', 'y', ['note']],
    ['note', 4, '4', '4', []],
  ])('is merged by member: %s', (id, own, mapped, value, replaced) => {
    const merged = mergeAnswers({ [id]: own }, { [id]: mapped }, typeOf);
    expect(merged.value).toEqual({ [id]: value });
    expect(merged.replaced.map(({ column }) => column)).toEqual(replaced);
  });

  it('leaves other questions, and a name of the prototype, as they are', () => {
    const merged = mergeAnswers({ note: 'x' }, JSON.parse('{"__proto__": "y"}'), typeOf);
    expect(Object.entries(merged.value)).toEqual([
      ['note', 'x'],
      ['__proto__', 'y'],
    ]);
    expect(withoutItem(['mon'], ['tue'])).toEqual(['mon']);
    expect(withoutItem({ am: ['a', 'b'] }, ['am', 'a'])).toEqual({ am: ['b'] });
    expect(withoutItem({ options: ['mon'], other: 'x' }, ['mon'])).toEqual({ options: [], other: 'x' });
    expect(withoutItem('soup', ['soup'])).toBe('soup');
  });
});

describe('a mapped column beside columns of the tool for the same question', () => {
  it('keeps the other rows and options', async () => {
    const text = 'id,submitdate,agree[fast],days[mon],days[tue],F,W,T\n1,2024-03-01 10:05:00,no,Y,Y,yes,x,no\n';
    const columns = { F: 'agree[good]', W: 'days[wed]', T: 'days[tue]' };
    const { judged } = await importOf(text, { columns });
    expect(judged).toMatchObject([
      { answers: { agree: { fast: 'no', good: 'yes' }, days: ['mon', 'wed'] }, lacksValues: false, omissions: [] },
    ]);
  });

  it.each([
    ['limesurvey', limesurvey, 'id,submitdate,note,N\n1,2024-03-01 10:05:00,mine,yours\n'],
    ['qualtrics', qualtrics, 'ResponseId,EndDate,note,N\n1,2024-03-01 10:05:00,mine,yours\n'],
    ['xlsform', xlsform, '_uuid,_submission_time,note,N\n1,2024-03-01T10:05:00Z,mine,yours\n'],
  ])('reports replaced values of %s in the report and the plan', async (source, survey, text) => {
    const { judged, warnings, planned } = await importOf(text, { columns: { N: 'note' }, source, survey });
    expect(judged).toMatchObject([
      {
        answers: { note: 'yours' },
        lacksValues: true,
        omissions: [{ column: 'note', code: 'REPLACED', action: 'kept' }],
        metadata: { invalid_answers: { note: 'mine' } },
      },
    ]);
    const warning = {
      path: '',
      code: 'NOT_IMPORTED',
      detail: 'The column note is for note too: its values are not imported in rows where the column N has one',
    };
    expect(warnings).toContainEqual(warning);
    expect(planned.warnings).toContainEqual(warning);
  });

  it('reports replaced metadata', async () => {
    const text = 'id,submitdate,ipaddr,note,Ip\n1,2024-03-01 10:05:00,1.1.1.1,x,2.2.2.2\n';
    const { judged, planned } = await importOf(text, { columns: { Ip: 'metadata.ipaddr' } });
    expect(judged).toMatchObject([
      {
        metadata: { ipaddr: '2.2.2.2' },
        omissions: [{ column: 'metadata.ipaddr', code: 'REPLACED', action: 'dropped' }],
      },
    ]);
    expect(planned.warnings).toMatchObject([{ code: 'NOT_IMPORTED' }]);
  });

  it('has the status of the response', async () => {
    const text = 'id,submitdate,note,State\n1,,x,completed\n2,,x,\n3,2024-03-01 10:05:00,x,in_progress\n4,,x,nope\n';
    const { responses } = await importOf(text, { columns: { State: 'status' } });
    expect(responses.map((one) => (isRejected(one) ? one.code : (one.status ?? 'completed')))).toEqual([
      'completed',
      'in_progress',
      'in_progress',
      'BAD_STATUS',
    ]);
  });
});
