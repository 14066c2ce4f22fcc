import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readGoogleFormsResponses } from './responses.ts';
import { readGoogleFormsSurvey } from './survey.ts';

const form = readSurveyFile(readGoogleFormsSurvey, fixture(import.meta.url, 'all-kinds.json'));
const text = fixture(import.meta.url, 'responses.json').toString();
const read = async (contents: unknown) =>
  readResponseFile(readGoogleFormsResponses, JSON.stringify(contents), (await form).payload);
const response = (id: string, ...values: string[]) => ({
  responseId: 'r',
  createTime: '2024-01-01T00:00:00Z',
  answers: { [id]: { textAnswers: { answers: values.map((value) => ({ value })) } } },
});

describe('responses of Google Forms', () => {
  it('become answers of all types, with other data as metadata', async () => {
    const { responses, stored, failures, warnings } = await read(JSON.parse(text));
    expect(responses[0]).toMatchObject({
      index: 0,
      id: 'x1',
      startedAt: undefined,
      completedAt: new Date('2024-05-01T09:00:00Z'),
      metadata: {
        respondentEmail: 'zoe@example.com',
        totalScore: 2,
        files: { a13: [{ fileId: 'f1', fileName: 'a.png', mimeType: 'image/png' }] },
      },
    });
    expect(stored).toEqual([
      {
        a1: 'Zoë',
        a2: 'Long.\nLonger.',
        a3: { option: 'other', text: 'Green' },
        a4: { options: ['Bread, butter'], other: 'Cake' },
        a5: 'Here',
        a6: 0,
        a7: 9,
        a8: '2024-04-30',
        a9: '2024-04-30',
        a9_time: '10:05',
        a10: '04-30',
        a11: '12:30',
        a12: '26:10:00',
        i14: { r1: 'Nice', r2: 'Not' },
        i15: { r3: ['Morning', 'Night'] },
      },
    ]);
    expect(failures.map((failure) => failure.split(' ')[0])).toEqual(['NO_ANSWERS', 'BAD_TIME']);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'NOT_IMPORTED /responses/0',
      'NOT_IMPORTED /responses/0/answers/a3',
      'NOT_IMPORTED /responses/0/answers/a13',
      'NOT_IMPORTED /responses/0/answers/gone',
      'NOT_IMPORTED /responses/1/answers/zz',
      'MORE_PAGES /responses',
    ]);
  });

  it('match their questions after all ids were renewed', async () => {
    let count = 0;
    const newId = () => {
      count += 1;
      return `n${count}`;
    };
    const { payload } = renewIds((await form).payload, newId);
    const { stored } = await readResponseFile(readGoogleFormsResponses, text, payload);
    expect(stored.map((answers) => Object.keys(answers).length)).toEqual([15]);
  });

  it('are read from an array, and from a file with the form', async () => {
    for (const contents of [
      [response('a5', 'Here')],
      { form: {}, responses: { responses: [response('a5', 'Here')] } },
    ]) {
      expect((await read(contents)).responses).toMatchObject([{ index: 0, id: 'r', answers: { a5: 'Here' } }]);
    }
  });

  it('are rejected by validation if an answer is invalid', async () => {
    const { failures } = await read([response('a5', 'Nowhere'), response('a6', 'x'), response('a8', '1.5.2024')]);
    const problems = failures.map((failure) => failure.split(' ').slice(0, 2).join(' '));
    expect(problems.filter((problem) => !problem.startsWith('REQUIRED'))).toEqual([
      'UNKNOWN_OPTION /data/a5',
      'WRONG_TYPE /data/a6',
      'BAD_FORMAT /data/a8',
    ]);
  });

  it('get a text for an empty "other", and can have long texts', async () => {
    const { responses, failures } = await read([response('a3', ''), response('a1', 'x'.repeat(20_000))]);
    expect(responses[0]).toMatchObject({ answers: { a3: { option: 'other', text: 'Other' } } });
    expect(failures.filter((failure) => failure.includes('/data/a1 ') || failure.startsWith('TOO_LONG'))).toEqual([
      expect.stringContaining('REQUIRED /data/a1'),
    ]);
  });

  it('report a malformed answer at its question', async () => {
    const answers = { a5: 'Here', r1: null, gone: 1 };
    const { responses, warnings } = await read([{ ...response('a5'), answers }]);
    expect(responses).toMatchObject([
      {
        unassigned: [
          { column: 'a5', code: 'NOT_AN_ANSWER', value: 'Here' },
          { column: 'i14[r1]', code: 'NOT_AN_ANSWER', value: null },
          { column: 'gone', code: 'UNKNOWN_QUESTION', value: 1 },
        ],
      },
    ]);
    expect(warnings).toMatchObject([{ code: 'NOT_IMPORTED', path: '/0/answers/gone' }]);
  });

  it.each([[['x']], ['x']])('report answers that are %j', async (answers) => {
    expect((await read([{ ...response('a5'), answers }])).responses).toMatchObject([
      { answers: {}, unassigned: [{ column: 'answers', code: 'NOT_AN_ANSWER', value: answers }] },
    ]);
  });

  it('keep the files of an unknown question, and the first time if the last one is null', async () => {
    const gone = { questionId: 'gone', fileUploadAnswers: { answers: [{ fileId: 'f1', fileName: 'n.pdf' }] } };
    const { responses } = await read([{ ...response('a5', 'Here'), lastSubmittedTime: null }]);
    expect(responses).toMatchObject([{ completedAt: new Date('2024-01-01T00:00:00Z') }]);
    expect(JSON.stringify(responses)).not.toContain('createTime');
    const { responses: withFiles } = await read([{ ...response('a5'), answers: { gone } }]);
    expect(withFiles).toMatchObject([{ unassigned: [{ column: 'gone', value: gone }] }]);
  });

  it('can be an empty list, but a file without a list is rejected', async () => {
    expect((await read({ responses: [] })).responses).toEqual([]);
    expect(await rejectionOf(read({ items: [] }))).toMatchObject([{ path: '', code: 'WRONG_TYPE' }]);
  });
});
