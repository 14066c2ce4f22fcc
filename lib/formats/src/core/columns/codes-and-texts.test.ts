import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { findResponseReader } from '../../sources.ts';
import { DETECT_ALL } from '../../tables/table-options.ts';
import { readResponsesToEnd } from '../../testing/read-to-end.ts';
import { createFitResponse } from '../responses/fit.ts';

const option = (id: string, text: string, code: string) => ({
  id,
  text,
  source_data: { source_id: code, ref: `r${code}` },
});
/** The id of each option is the text of another one, or of none. Two have the same text. */
const OPTIONS = [option('red', 'blue', 'c1'), option('blue', 'green', 'c2'), option('no', 'None', 'c3')];
const TWINS = [option('x', 'Twin', 'c4'), option('y', 'Twin', 'c5')];
const named = (id: string) => ({ source_data: { source_id: id } });

function surveyOf(source: string) {
  const questions: JsonObject[] = [
    { id: 'pick', type: 'single_choice', title: 'Pick', options: [...OPTIONS, ...TWINS], ...named('pick') },
    { id: 'many', type: 'multiple_choice', title: 'Many', options: OPTIONS, ...named('many') },
    { id: 'note', type: 'text', title: 'Note', ...named('note') },
  ];
  const payload: JsonObject = {
    ...{ schema_version: '1.0', version: 1 },
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }], source_data: { source } },
  };
  return { payload, definition: compile(payload) };
}

async function judge(source: string, format: string, text: string, survey = surveyOf(source)) {
  const reader = findResponseReader({ source, format });
  if (reader === undefined) throw new Error('there is no reader');
  const { responses } = await readResponsesToEnd(reader, text, survey, { table: DETECT_ALL });
  const policy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false } as const;
  return responses.map(createFitResponse({ ...survey, policy }));
}

const TIMES = { landed_at: '2026-03-02T10:00:00Z', submitted_at: '2026-03-02T10:05:00Z' };
const typeformAnswer = (id: string, value: JsonObject): JsonObject => ({ field: { id, type: 'x' }, ...value });
/** For each tool, a file with one response: a note, and a choice as the tool writes it. */
const FILES: Readonly<Record<string, (cell: string) => string>> = {
  'google_forms json': (value) => {
    const answer = (id: string, text: string) => [id, { questionId: id, textAnswers: { answers: [{ value: text }] } }];
    const answers = Object.fromEntries([answer('pick', value), answer('note', 'N/A')]);
    return JSON.stringify([{ responseId: '1', lastSubmittedTime: TIMES.submitted_at, answers }]);
  },
  'formbricks json': (pick) => JSON.stringify([{ id: '1', finished: true, data: { pick, note: 'N/A' } }]),
  'typeform json': (label) => {
    const note = typeformAnswer('note', { type: 'text', text: 'N/A' });
    const answers = [typeformAnswer('pick', { type: 'choice', choice: { label } }), note];
    return JSON.stringify({ items: [{ response_id: '1', ...TIMES, answers }] });
  },
  'surveymonkey json': (choice_id) => {
    const questions = [
      { id: 'pick', answers: [{ choice_id }] },
      { id: 'note', answers: [{ text: 'N/A' }] },
    ];
    return JSON.stringify({ data: [{ id: '1', response_status: 'completed', pages: [{ questions }] }] });
  },
  'surveyjs json': (pick) => JSON.stringify([{ id: '1', pick, note: 'N/A' }]),
  'xlsform json': (pick) => JSON.stringify([{ _id: 1, pick, note: 'N/A' }]),
  ...Object.fromEntries(
    ['custom', 'table', 'google_forms', 'surveymonkey', 'typeform'].map((source) => [
      `${source} csv`,
      (cell: string) => `Pick,Note\n${cell},N/A\n`,
    ]),
  ),
  'microsoft_forms csv': (cell) =>
    `ID,Start time,Completion time,Email,Name,Pick,Note\n1,2026-03-02 10:00,2026-03-02 10:05,a@example.com,A,${cell},N/A\n`,
};
const judgeOne = async (file: string, cell: string) => {
  const [source = '', format = ''] = file.split(' ');
  const [judged] = await judge(source, format, FILES[file]?.(cell) ?? '');
  return judged;
};
const stored = (pick: string) => ({ answers: { pick, note: 'N/A' }, omissions: [] });
const UNKNOWN = expect.stringMatching(/^(?:UNKNOWN_OPTION|WRONG_TYPE)$/);
const omitted = (code: string) => ({ answers: { note: 'N/A' }, omissions: [{ column: 'pick', code }] });

describe.each(
  ['google_forms json', 'formbricks json', 'typeform json'].concat(
    ['google_forms', 'surveymonkey', 'typeform', 'microsoft_forms'].map((source) => `${source} csv`),
  ),
)('texts of options in %s', (file) => {
  it('are not confused with ids of the survey', async () => {
    expect(await judgeOne(file, 'blue')).toMatchObject(stored('red'));
    expect(await judgeOne(file, 'green')).toMatchObject(stored('blue'));
  });

  it('are reported if no option or several options have them', async () => {
    expect(await judgeOne(file, 'red')).toMatchObject(omitted(UNKNOWN));
    expect(await judgeOne(file, 'Twin')).toMatchObject({
      ...omitted(expect.stringMatching(/^AMBIGUOUS_/)),
    });
  });
});

describe.each(['surveymonkey json', 'surveyjs json'])('codes of options in %s', (file) => {
  it('are found, and others are reported, even if they are ids or texts in the survey', async () => {
    expect(await judgeOne(file, 'c2')).toMatchObject(stored('blue'));
    for (const unknown of ['red', 'blue', 'c9']) {
      expect(await judgeOne(file, unknown)).toMatchObject(omitted(UNKNOWN));
    }
  });
});

it('names of choices of XLSForm are found before labels, and ids are never names', async () => {
  expect(await judgeOne('xlsform json', 'c2')).toMatchObject(stored('blue'));
  expect(await judgeOne('xlsform json', 'blue')).toMatchObject(stored('red'));
  expect(await judgeOne('xlsform json', 'red')).toMatchObject(omitted(UNKNOWN));
});

it('labels of XLSForm are found before names in columns with labels as headings', async () => {
  const options = [option('a', '2', '1'), option('b', '1', '2')];
  const questions: JsonObject[] = [{ id: 'q', type: 'single_choice', title: 'Which one?', options, ...named('which') }];
  const payload: JsonObject = {
    ...{ schema_version: '1.0', version: 1 },
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] },
  };
  const survey = { payload, definition: compile(payload) };
  expect(await judge('xlsform', 'csv', 'which\n1\n', survey)).toMatchObject([{ answers: { q: 'a' } }]);
  expect(await judge('xlsform', 'csv', 'Which one?\n1\n', survey)).toMatchObject([{ answers: { q: 'b' } }]);
});

it.each(['custom', 'table'])(
  'tables made by hand can have ids or texts, and what can be both is reported: %s',
  async (source) => {
    expect(await judgeOne(`${source} csv`, 'red')).toMatchObject(stored('red'));
    expect(await judgeOne(`${source} csv`, 'green')).toMatchObject(stored('blue'));
    expect(await judgeOne(`${source} csv`, 'blue')).toMatchObject(omitted('AMBIGUOUS_ANSWER'));
    expect(await judgeOne(`${source} csv`, 'Twin')).toMatchObject(omitted('AMBIGUOUS_OPTION'));
  },
);

it('a column of our exports with the id of the question has ids', async () => {
  expect(await judge('custom', 'csv', 'pick,Note\nblue,N/A\n')).toMatchObject([stored('blue')]);
});

it('numbers of SurveyMonkey are positions of options, and ids of the survey are never options', async () => {
  const questions: JsonObject[] = [
    { id: 'pick', type: 'single_choice', title: 'Pick', options: OPTIONS, ...named('pick') },
    { id: 'note', type: 'text', title: 'Note', ...named('note') },
  ];
  const payload: JsonObject = {
    ...{ schema_version: '1.0', version: 1 },
    survey: {
      title: 'T',
      supported_languages: ['en'],
      pages: [{ questions }],
      source_data: { source: 'surveymonkey' },
    },
  };
  const survey = { payload, definition: compile(payload) };
  expect(await judge('surveymonkey', 'csv', 'Pick,Note\n2,N/A\nred,N/A\n', survey)).toMatchObject([
    stored('blue'),
    omitted(UNKNOWN),
  ]);
});

it('a label of Typeform is not confused with the ref of another choice', async () => {
  expect(await judgeOne('typeform json', 'rc2')).toMatchObject(omitted(UNKNOWN));
});

describe.each(['table', 'google_forms', 'surveymonkey', 'typeform', 'custom', 'xlsform'])(
  'columns for options of %s',
  (source) => {
    it.each(['No', 'FALSE', '0', 'nein', 'n'])('are not chosen with %s', async (word) => {
      const heading = source === 'xlsform' ? ['many/c2', 'many/c3', 'note'] : ['Many [green]', 'Many [None]', 'Note'];
      const csv = `${heading.join(',')}\n1,${word},N/A\n${word},1,N/A\n`;
      expect(await judge(source, 'csv', csv)).toMatchObject([
        { answers: { many: ['blue'], note: 'N/A' } },
        { answers: { many: ['no'], note: 'N/A' } },
      ]);
    });
  },
);
