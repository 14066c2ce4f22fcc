import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { itemsOf } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../files/import-file.ts';
import { planImport } from '../../plans/plan-import.ts';
import { findSurveyReader } from '../../sources.ts';
import { DETECT_ALL, type TableOptions } from '../../tables/table-options.ts';
import { judgeFile } from '../../testing/read-files.ts';
import { createFitResponse, type JudgedResponse } from '../responses/fit.ts';

const policy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false } as const;

function answersOf(judged: readonly JudgedResponse[]) {
  return judged.map((one) => ('answers' in one ? one.answers : 'code' in one ? one.code : 'left out'));
}

/** Reads a table that becomes a survey, with its responses. */
async function readSurvey(text: string, source = 'table', columns: TableOptions['columns'] = []) {
  const warnings: FieldProblem[] = [];
  const table = { ...DETECT_ALL, columns };
  const options = { title: 'T', language: 'en', table };
  const survey = await findSurveyReader({ source, format: 'csv' })?.(fileOf(text), { ...options, warn: () => {} });
  if (survey === undefined) throw new Error('no reader');
  const { payload } = survey;
  const definition = compile(payload);
  const found = survey.responses?.((warning) => warnings.push(warning)) ?? [];
  const judged = (await Array.fromAsync(found)).map(createFitResponse({ payload, definition, policy }));
  const [page] = itemsOf((payload['survey'] as JsonObject)['pages']); // every reader returns a survey with pages
  const plan = await planImport(fileOf(text), {
    given: { source, format: 'csv' },
    filename: '',
    survey: undefined,
    unmask: undefined,
    table,
    isPartial: false,
  });
  const reports = (problems: readonly FieldProblem[]) =>
    problems.filter(({ code }) => code === 'NOT_A_RESPONSE').map(({ detail }) => detail);
  return {
    questions: itemsOf((page as JsonObject)['questions']) as readonly JsonObject[],
    judged,
    answers: answersOf(judged),
    reports: reports(warnings),
    planned: reports(plan.warnings),
  };
}

/** Reads a table of responses to a survey with these questions. */
async function readResponses(
  source: string,
  text: string,
  questions: readonly JsonObject[],
  columns: TableOptions['columns'] = [],
) {
  const { judged, warnings } = await judgeFile(source, 'csv', text, questions, columns);
  const reports = warnings.filter(({ code }) => code === 'NOT_A_RESPONSE').map(({ detail }) => detail);
  return { judged, answers: answersOf(judged), reports };
}

describe('a table that becomes a survey', () => {
  it('has no responses in repeated headers', async () => {
    const rows = (from: number, to: number) =>
      Array.from(
        { length: to - from + 1 },
        (_, at) => `${from + at},2026-03-0${from + at} 10:00:00,P ${from + at},text ${from + at}`,
      );
    const header = '#,Date Submitted,Full name,Message';
    const { answers, judged, reports, planned, questions } = await readSurvey(
      [header, ...rows(1, 3), header, ...rows(4, 5), header, ''].join('\n'),
    );
    expect(questions.map(({ title }) => title)).toEqual(['#', 'Full name', 'Message']);
    expect(answers).toMatchObject([{}, {}, {}, 'left out', {}, {}, 'left out']);
    expect(judged.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(judged[4]).toMatchObject({ row: 6, completedAt: new Date('2026-03-04T10:00:00Z') });
    expect(reports).toEqual(['Rows 5, 8 repeat the header, and are left out']);
    expect(planned).toEqual(reports);
  });

  it('has no responses in the rows of texts and import ids of Qualtrics', async () => {
    const text = `StartDate,EndDate,Status,Finished,ResponseId,Q1,Q2
Start Date,End Date,Response Type,Finished,Response ID,How was it?,Why?
"{""ImportId"":""startDate""}","{""ImportId"":""endDate""}","{""ImportId"":""status""}","{""ImportId"":""finished""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2_TEXT""}"
2026-07-01 08:00:00,2026-07-01 08:05:00,IP Address,True,R_a1,Good,fast
2026-07-01 09:00:00,2026-07-01 09:05:00,IP Address,True,R_b2,Bad,slow
`;
    const { judged, questions, reports } = await readSurvey(text);
    expect(questions.map(({ title }) => title)).toEqual(['Q1', 'Q2']);
    expect(judged).toMatchObject([
      { isLeftOut: true },
      { isLeftOut: true },
      { id: 'R_a1', answers: { Q1: 'Good', Q2: 'fast' }, metadata: { status: 'IP Address', finished: 'True' } },
      { id: 'R_b2', startedAt: new Date('2026-07-01T09:00:00Z'), completedAt: new Date('2026-07-01T09:05:00Z') },
    ]);
    expect(reports).toEqual(['Rows 2, 3 have names or texts of the columns, and are left out']);
  });

  it('has the titles and options of the two header rows of SurveyMonkey', async () => {
    const text = `Respondent ID,Collector ID,Start Date,End Date,Which fruit?,,,How was it?,Why?
,,,,Apples,Pears,Other (please specify),Response,Open-Ended Response
11801,4,03/01/2026 10:00:00 AM,03/01/2026 10:05:00 AM,Apples,,,Good,fast
11802,4,03/01/2026 11:00:00 AM,03/01/2026 11:05:00 AM,Apples,Pears,,Bad,slow
11803,4,03/13/2026 11:00:00 AM,03/13/2026 11:05:00 AM,,Pears,figs,Good,ok
`;
    const { judged, questions } = await readSurvey(text);
    expect(questions).toMatchObject([
      { type: 'multiple_choice', title: 'Which fruit?', options: ['Apples', 'Pears'], allow_other: true },
      { type: 'single_choice', title: 'How was it?' },
      { type: 'text', title: 'Why?' },
    ]);
    expect(judged).toMatchObject([
      { isLeftOut: true },
      { id: '11801', answers: { Which_fruit: ['Apples'] }, completedAt: new Date('2026-03-01T10:05:00Z') },
      { answers: { Which_fruit: ['Apples', 'Pears'] } },
      { answers: { Which_fruit: { options: ['Pears'], other: 'figs' } } },
    ]);
  });

  it('has no responses in a row of labels, as SoSci writes it', async () => {
    const text = `CASE,STARTED,A101,A102_01,Note
Interview number,Time of the interview,Satisfaction,Trust: people,Remarks
1,2026-07-01 08:00:00,3,1,x
2,2026-07-01 09:00:00,4,2,y
3,2026-07-01 10:00:00,5,2,
`;
    const { answers, reports } = await readSurvey(text);
    expect(answers).toMatchObject(['left out', { A101: 3 }, { A101: 4 }, { A101: 5 }]);
    expect(reports).toEqual(['Row 2 has names or texts of the columns, and is left out']);
  });

  it('begins below rows with a title', async () => {
    const { answers, questions, reports } = await readSurvey(
      'Canteen survey\n\nHow old?,Do you cook?,Why?\n34,yes,fun\n51,no,no time\n29,yes,cheap\n',
    );
    expect(questions.map(({ title }) => title)).toEqual(['How old?', 'Do you cook?', 'Why?']);
    expect(answers).toMatchObject(['left out', { Why: 'fun' }, { Why: 'no time' }, { Why: 'cheap' }]);
    expect(reports).toEqual(['Row 1 is above the header, and is left out']);
  });

  it('has the header with the most columns that the option names', async () => {
    const columns = ['A', 'B'].map((heading) => ({ heading, target: 'text' }));
    const { questions, reports, planned } = await readSurvey('Report,2026\nA,B,C\n1,x,y\n2,z,w\n', 'table', columns);
    expect(questions.map(({ title }) => title)).toEqual(['A', 'B', 'C']);
    expect([reports, planned]).toEqual(Array(2).fill(['Row 1 is above the header, and is left out']));
  });

  it.each([
    ['a row of texts in a column of numbers', 'n,m,Why\nten,none,x\n1,2,y\n2,x,z\n3,y,w\n', 4],
    ['a response that equals one heading', 'Name,Message\nName,hello\nBob,Message\n', 2],
    ['a table with one column', 'Colour\nred\nColour\nred\n', 3],
    ['a first response without a time', 'Timestamp,Name,Why\n,Ann,x\n1/15/2024 10:00:00,Bob,y\n', 2],
  ])('keeps the responses in %s', async (_, text, count) => {
    const { answers, reports } = await readSurvey(text);
    expect([answers.length, answers.includes('left out'), reports]).toEqual([count, false, []]);
  });

  it('has no questions for scores, feedback and data of the tool', async () => {
    const { questions, judged } = await readSurvey(
      `Timestamp,Total score,Your name,Your name [Score],Capital?,Capital? [Score],Capital? [Feedback],Points - Capital?
2026/03/05 10:04:23 PM GMT+1,1.00 / 2,Ann,-- / 0,Lima,1.00 / 1,,1
2026/03/06 8:00:00 AM GMT+1,0.00 / 2,Bob,-- / 0,Quito,0.00 / 1,sorry,0
`,
    );
    expect(questions.map(({ title }) => title)).toEqual(['Your name', 'Capital?']);
    expect(judged[1]).toMatchObject({
      completedAt: new Date('2026-03-06T07:00:00Z'),
      metadata: { total_score: '0.00 / 2', 'Capital? [Feedback]': 'sorry', 'Points - Capital?': '0' },
    });
    const scores = await readSurvey('Name,Score\nA,3\nB,4\n');
    expect(scores.questions.map(({ title }) => title)).toEqual(['Name', 'Score']);
  });

  it.each([
    [
      'Typeform',
      '#,Why?,Start Date (UTC),Submit Date (UTC),Network ID,Tags,Ending',
      'a,x,2026-01-05 10:00:00,2026-01-05 10:01:00,n1,,e',
    ],
    [
      'Kobo',
      'start,end,Why?,_id,_uuid,_submission_time,_validation_status,_index',
      '2026-01-05 10:00:00,2026-01-05 10:01:00,x,7,u,2026-01-05 10:02:00,,1',
    ],
    [
      'LimeSurvey',
      'id,submitdate,lastpage,startlanguage,seed,startdate,Why?',
      '7,2026-01-05 10:01:00,3,en,12,2026-01-05 10:00:00,x',
    ],
  ])('has no questions for data of %s', async (_, header, row) => {
    const { questions, judged } = await readSurvey(`${header}\n${row}\n`);
    expect(questions.map(({ title }) => title)).toEqual(['Why?']);
    expect(judged).toMatchObject([
      { startedAt: new Date('2026-01-05T10:00:00Z'), completedAt: new Date('2026-01-05T10:01:00Z') },
    ]);
  });
});

const QUESTIONS: readonly JsonObject[] = [
  { id: 'person', type: 'text', title: 'Full name', source_data: { source_id: 'person', export_tag: 'person' } },
  { id: 'msg', type: 'text', title: 'Message', source_data: { source_id: 'msg', export_tag: 'msg' } },
];
const TITLED = ['custom', 'table', 'google_forms', 'microsoft_forms', 'typeform', 'surveymonkey'];
/** The heading of an id, if headings are codes. */
const ID_COLUMNS: Readonly<Record<string, string>> = { qualtrics: 'ResponseId', limesurvey: 'id', xlsform: '_uuid' };

describe.each([...TITLED, ...Object.keys(ID_COLUMNS)])('responses to a survey in a table of %s', (source) => {
  const id = ID_COLUMNS[source];
  const header = id === undefined ? 'Id,Full name,Message' : `${id},person,msg`;

  it('are not in titles and repeated headers', async () => {
    const text = `Export of March\n\n${header}\np1,Ann,hello\n${header}\np2,Bob,bye\np3,${header.split(',')[1]},bye\n`;
    const { answers, reports, judged } = await readResponses(source, text, QUESTIONS);
    expect(answers).toMatchObject(['left out', { person: 'Ann' }, 'left out', { person: 'Bob' }, { msg: 'bye' }]);
    expect(judged.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(reports).toEqual([
      'Row 1 is above the header, and is left out',
      'Row 5 repeats the header, and is left out',
    ]);
  });

  it.each(['Full name,Message', 'person,msg', 'Full name - all of it,Message'])(
    'are not in a row below the header with %s',
    async (names) => {
      const text = `${header}\nThe id,${names}\np1,Ann,hello\nThe id,${names}\np2,Full name,bye\n`;
      const { answers, reports } = await readResponses(source, text, QUESTIONS);
      expect(answers.filter((one) => one !== 'left out')).toEqual([
        { person: 'Ann', msg: 'hello' },
        { person: 'Full name', msg: 'bye' },
      ]);
      expect([answers.length, reports.join()]).toEqual([4, expect.stringMatching(/Row 2 .* left out.*Row 4 /)]);
    },
  );

  it.each([
    ['headings', 'First,Second', ['First', 'Second']],
    // In Microsoft Forms, `Name` is the name of the account.
    ['headings that tools use', 'Name,Email', ['Name', 'Email']],
    ['positions', 'First,Second', ['#2', '#3']],
  ])('are below a header that only the option knows, by %s', async (_, names, [first = '', second = '']) => {
    const columns = [
      { heading: first, target: 'person' },
      { heading: second, target: 'msg' },
    ];
    const text = `Export of March\n\nNo.,${names}\nThe number,Full name,Message\n1,Ann,hello\n2,Bob,bye\n`;
    const { answers, reports } = await readResponses(source, text, QUESTIONS, columns);
    expect(answers.filter((one) => one !== 'left out')).toEqual([
      { person: 'Ann', msg: 'hello' },
      { person: 'Bob', msg: 'bye' },
    ]);
    expect(reports).toEqual([
      'Row 1 is above the header, and is left out',
      'Row 4 has names or texts of the columns, and is left out',
    ]);
  });

  it('can name a column in one answer', async () => {
    const { answers } = await readResponses(source, `${header}\np1,Full name,hello\np2,,Message\n`, QUESTIONS);
    expect(answers).toEqual([{ person: 'Full name', msg: 'hello' }, { msg: 'Message' }]);
  });
});

it.each(TITLED)(
  'responses of Qualtrics to a survey made otherwise are not in its header rows, read as %s',
  async (source) => {
    const text = `EndDate,person,msg
End Date,Full name,Message
"{""ImportId"":""endDate""}","{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2_TEXT""}"
2026-07-01 08:00:00,Ann,hello
`;
    const { answers, reports } = await readResponses(source, text, QUESTIONS);
    expect(answers).toEqual(['left out', 'left out', { person: 'Ann', msg: 'hello' }]);
    expect(reports).toEqual(['Rows 2, 3 have names or texts of the columns, and are left out']);
  },
);

it('responses of joined exports of Qualtrics are not in the second header', async () => {
  const header = 'ResponseId,StartDate,msg\nResponse ID,Start Date,Message\n';
  const row = (id: string) => `R_${id},2026-07-01 08:00:00,${id}\n`;
  const { answers, reports } = await readResponses('qualtrics', header + row('a') + header + row('b'), QUESTIONS);
  expect(answers).toMatchObject([{ msg: 'a' }, 'left out', 'left out', { msg: 'b' }]);
  expect(reports).toEqual(['Rows 4, 5 repeat the header, and are left out']);
});
