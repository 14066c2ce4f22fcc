import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../files/import-file.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { writeZip } from '../testing/write-zip.ts';
import type { PlanRequest } from './file-plan.ts';
import { guessFile } from './guess-file.ts';
import { planImport } from './plan-import.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'q1', type: 'single_choice', title: 'How was it?', options: ['good', 'bad'] },
          { id: 'q2', type: 'date', title: 'Since' },
          { id: 'q3', type: 'multiple_choice', title: 'Days', options: ['mon', 'tue'] },
          { id: 'q4', type: 'text', title: 'Twice' },
          { id: 'q5', type: 'text', title: 'Twice' },
        ],
      },
    ],
  },
};
const survey = { payload, definition: compile(payload) };
const plan = (contents: string | Uint8Array, request: Partial<PlanRequest> = {}) =>
  planImport(fileOf(contents), {
    given: {},
    filename: '',
    survey,
    unmask: undefined,
    table: DETECT_ALL,
    isPartial: false,
    ...request,
  });

describe('planImport', () => {
  it('reports target, origin and content of each column, and no values', async () => {
    const text = 'id;how was it?;Days [mon];Note;Since\n1;good;1;secret;3/4/2024\n2;;;;5/6/2024\n';
    const found = await plan(text);
    expect(found).toMatchObject({
      source: 'custom',
      format: 'csv',
      dialect: 'separator ";", encoding utf-8',
      rows: 2,
      warnings: [],
    });
    expect(found.columns.map(({ target, foundBy, confidence }) => [target, foundBy, confidence])).toEqual([
      ['id', 'name', 1],
      ['q1', 'title', 0.9],
      ['q3[mon]', 'part', 0.8],
      ['', '', 0],
      ['q2', 'title', 0.9],
    ]);
    expect(found.columns.map(({ contents }) => Object.fromEntries(contents))).toEqual([
      { number: 2 },
      { text: 1, empty: 1 },
      { number: 1, empty: 1 },
      { text: 1, empty: 1 },
      { date: 2 },
    ]);
    expect(found.problems).toMatchObject([{ code: 'AMBIGUOUS_DATE' }]);
    expect(found.suggestions).toEqual([{ name: 'date_format', values: ['DD/MM/YYYY', 'MM/DD/YYYY'] }]);
    expect(JSON.stringify([found, found.columns.map(({ contents }) => [...contents])])).not.toMatch(/secret|2024/);
    expect(found.targets).toContainEqual({ name: 'q3', title: 'Days' });
  });

  it('suggests targets of usual headings, and applies columns', async () => {
    const text = 'When,Timestamp,q1,Twice\n2024-01-01,2024-01-01,good,x\n';
    const found = await plan(text);
    expect(found.suggestions).toEqual([{ name: 'columns', values: ['{"Timestamp":"submitted_at"}'] }]);
    expect(found.columns[3]?.problems).toEqual(['the column can be q4, q5; name its question with columns']);
    expect(found.problems).toMatchObject([{ code: 'BAD_HEADER' }]);
    const columns = [
      { heading: 'When', target: 'submitted_at' },
      { heading: 'Twice', target: 'q5' },
    ];
    const mapped = await plan(text, { table: { ...DETECT_ALL, columns } });
    expect(mapped.columns.map(({ target, foundBy }) => [target, foundBy])).toEqual([
      ['submitted_at', 'option'],
      ['', ''],
      ['q1', 'name'],
      ['q5', 'option'],
    ]);
    expect(mapped).toMatchObject({ problems: [], suggestions: [] });
  });

  it('suggests a target once', async () => {
    const text = 'Timestamp,Submission date,How was it?\n2026-01-02T03:04:05Z,x,good\n';
    const { suggestions } = await plan(text, { given: { source: 'custom', format: 'csv' } });
    expect(suggestions).toEqual([{ name: 'columns', values: ['{"Timestamp":"submitted_at"}'] }]);
  });

  it('plans a survey from a table of answers', async () => {
    const text = `Timestamp,Days,Age\n${'1/15/2024 10:00:00,"mon, tue",34\n1/16/2024 10:00:00,mon,7\n1/17/2024 10:00:00,tue,61\n'}`;
    expect(await plan(text, { survey: undefined })).toMatchObject({
      source: 'google_forms',
      columns: [
        { target: 'submitted_at', questionId: '', foundBy: 'word' },
        { target: 'multiple_choice', questionId: 'Days', foundBy: 'values' },
        { target: 'text', questionId: 'Age', foundBy: 'values' },
      ],
      problems: [],
    });
  });

  it('shows what rejects a new survey: dates in two orders, and no question', async () => {
    const dates = 'Timestamp,Mood\n3/2/2026,good\n4/5/2026,bad\n1/2/2026,good\n';
    const found = await plan(dates, { survey: undefined });
    expect(found).toMatchObject({
      problems: [{ code: 'AMBIGUOUS_DATE' }],
      suggestions: [{ name: 'date_format', values: ['DD/MM/YYYY', 'MM/DD/YYYY'] }],
    });
    const table = { ...DETECT_ALL, dateFormat: 'DD/MM/YYYY', columns: [{ heading: 'Mood', target: 'text' }] };
    expect(await plan(dates, { survey: undefined, table })).toMatchObject({ problems: [] });
    expect(await plan('Timestamp,ID\n2026-01-02,1\n', { survey: undefined })).toMatchObject({
      problems: [{ code: 'BAD_HEADER', detail: expect.stringContaining('no column is a question') }],
    });
  });

  it('reads workbooks, and ignores the cut end of a partial file', async () => {
    const book = await writeXlsx({ one: [['q1'], ['good']] });
    expect(await plan(book)).toMatchObject({
      format: 'xlsx',
      rows: 1,
      dialect: 'sheet one',
      columns: [{ target: 'q1' }],
    });
    expect(await plan(book, { isPartial: true, filename: 'a.xlsx' })).toMatchObject({
      format: 'xlsx',
      problems: [{ code: 'FILE_NOT_WHOLE' }],
    });
    const cut = Buffer.from('q1\ngood\nbad\n"ü').subarray(0, -1);
    expect(await plan(cut, { isPartial: true })).toMatchObject({ rows: 2, problems: [] });
    expect(await plan('q1\ngood\n"ba\nd', { isPartial: true })).toMatchObject({ rows: 1, problems: [] });
    expect((await plan('q1\ngood\n"ba', {})).problems).toMatchObject([{ code: 'BAD_CSV' }]);
  });

  it('knows the columns of other tools', async () => {
    const questions = [
      { id: 'x1', type: 'single_choice', title: 'Q', options: ['a'], source_data: { source_id: 'Q1', type: 'L' } },
      { id: 'QID1', type: 'text', title: 'Q', source_data: { source_id: 'QID1', export_tag: 'T1' } },
      { id: 'k', type: 'text', title: 'Q', source_data: { source_id: 'group/name' } },
    ];
    const own = { ...payload, survey: { ...payload.survey, pages: [{ questions }] } };
    const tool = { payload: own, definition: compile(own) };
    const targetsOf = async (text: string) => {
      const { source, columns, problems } = await plan(text, { survey: tool });
      return [source, columns.map(({ target }) => target), problems.length];
    };
    expect(await targetsOf('"id. Response ID","submitdate. Date","Q1. Which?",x\n1,2024-01-01 10:00:00,a,\n')).toEqual([
      'limesurvey',
      ['id', 'submitted_at', 'x1', ''],
      0,
    ]);
    expect(await targetsOf('StartDate,EndDate,T1,IPAddress\n2024-01-01 10:00:00,2024-01-01 10:00:00,a,1\n')).toEqual([
      'qualtrics',
      ['started_at', 'submitted_at', 'QID1', 'metadata.ip_address'],
      0,
    ]);
    expect(await targetsOf('start,group/name,_uuid\n2024-01-01T10:00:00Z,a,u\n')).toEqual([
      'xlsform',
      ['started_at', 'k', 'id'],
      0,
    ]);
  });

  const toolQuestions = [
    { id: 'x1', type: 'single_choice', title: 'Q', options: ['a'], source_data: { source_id: 'Q1', type: 'L' } },
    { id: 'x2', type: 'date', title: 'D', source_data: { source_id: 'Q2', type: 'D' } },
    { id: 'QID1', type: 'text', title: 'Q', source_data: { source_id: 'QID1', export_tag: 'T1' } },
    { id: 'k', type: 'date', title: 'K', source_data: { source_id: 'group/day' } },
    {
      id: 'm',
      type: 'multiple_choice',
      title: 'M',
      options: [
        { id: 'soup', text: 'Soup' },
        { id: 'rice', text: 'Rice' },
      ],
      allow_other: true,
      source_data: { source_id: 'dishes' },
    },
  ];
  const toolPayload = { ...payload, survey: { ...payload.survey, pages: [{ questions: toolQuestions }] } };
  const toolSurvey = { payload: toolPayload, definition: compile(toolPayload) };

  it.each([
    ['limesurvey', 'id,submitdate,Q1,Q2\n1,2024-01-01 10:00:00,a,3/4/2024\n', 'column Q2'],
    ['qualtrics', 'StartDate,T1\n3/4/2024 10:00:00,a\n', 'column StartDate'],
    ['xlsform', '_submission_time,group-day\n2024-01-01T10:00:00Z,3/4/2024\n', 'column group-day'],
  ])('shows dates that can be read in two ways in tables of %s', async (source, text, column) => {
    const given = { source };
    const found = await plan(text, { survey: toolSurvey, given });
    expect(found.problems).toMatchObject([{ code: 'AMBIGUOUS_DATE', detail: expect.stringContaining(column) }]);
    expect(found.suggestions).toMatchObject([{ name: 'date_format' }]);
    const table = { ...DETECT_ALL, dateFormat: 'DD/MM/YYYY' };
    expect((await plan(text, { survey: toolSurvey, given, table })).problems).toEqual([]);
  });

  it.each([
    ['limesurvey', 'id,Q1,Q1\n1,a,a\n'],
    ['qualtrics', 'StartDate,T1,T1\n2024-01-01 10:00:00,a,a\n'],
    ['xlsform', '_uuid,day,Note,Note\nu,2024-01-01,a,a\n'],
  ])('shows duplicate headings in tables of %s, until one is excluded', async (source, text) => {
    const found = await plan(text, { survey: toolSurvey, given: { source } });
    expect(found.problems).toMatchObject([
      { code: 'BAD_HEADER', detail: expect.stringContaining('the column is duplicate') },
    ]);
    const last = found.columns.length;
    const table = { ...DETECT_ALL, columns: [{ heading: `#${last}`, target: '' }] };
    const corrected = await plan(text, { survey: toolSurvey, given: { source }, table });
    expect(corrected.problems).toEqual([]);
    expect(corrected.columns[last - 1]).toMatchObject({ target: '', foundBy: 'option' });
  });

  it('reads the codes of VV files, whose first row has texts', async () => {
    const vv = 'Response ID\tDate\tWhich?\tSince?\nid\tsubmitdate\tQ1\tQ2\n1\t2024-01-01 10:00:00\ta\t2024-02-29\n';
    const found = await plan(vv, { survey: toolSurvey, given: { source: 'limesurvey' } });
    expect(found.columns.map(({ heading, target }) => [heading, target])).toEqual([
      ['Response ID', 'id'],
      ['Date', 'submitted_at'],
      ['Which?', 'x1'],
      ['Since?', 'x2'],
    ]);
    expect([found.rows, found.problems]).toEqual([1, []]);
  });

  it('finds choices, texts of other and repeats in the headings of XLSForm', async () => {
    const text = '_uuid.dishes.dishes/soup.dishes_other.kid[1]/name.Team'.replaceAll('.', ',');
    const found = await plan(`${text}\nu,soup,1,,Ann,x\n`, { survey: toolSurvey, given: { source: 'xlsform' } });
    expect(found.columns.map(({ target, questionId }) => [target, questionId])).toEqual([
      ['id', ''],
      ['m', 'm'],
      ['m[soup]', 'm'],
      ['m.other', 'm'],
      ['metadata.repeats', ''],
      ['metadata.Team', ''],
    ]);
  });

  it('shows the main table of an archive of ODK Central', async () => {
    const archive = await writeZip({
      'f.csv': '_submission_time,day,SET-OF-kid,KEY\n2024-01-01T10:00:00Z,2024-02-29,uuid:1/kid,uuid:1\n',
      'f-kid.csv': 'name,PARENT_KEY,KEY\nAnn,uuid:1,uuid:1/kid[1]\n',
    });
    const found = await plan(archive, { survey: toolSurvey });
    expect(found).toMatchObject({ source: 'xlsform', format: 'csv', rows: 1, problems: [], warnings: [] });
    expect(found.columns.map(({ target }) => target)).toEqual(['submitted_at', 'k', '', 'id']);
    expect(found.dialect).toBe('file f.csv, separator ",", encoding utf-8');
  });

  it('warns about the other tables of an archive', async () => {
    const archive = await writeZip({
      'f.csv': '_submission_time,day,KEY\n2024-01-01T10:00:00Z,2024-02-29,uuid:1\n',
      'f-kid.csv': Buffer.from('name,PARENT_KEY,KEY\nZo\u00eb,uuid:1,uuid:1/kid[1]\n', 'latin1'),
      'f-toy.csv': Buffer.from('name,PARENT_KEY,KEY\n\u0081,uuid:1,uuid:1/toy[1]\n', 'latin1'),
    });
    const found = await plan(archive, { survey: toolSurvey });
    expect(found.warnings).toMatchObject([
      { code: 'ENCODING_ASSUMED', detail: expect.stringMatching(/^file f-kid\.csv: .* windows-1252/) },
    ]);
    expect(found.problems).toMatchObject([
      { code: 'BAD_ENCODING', detail: expect.stringMatching(/^file f-toy\.csv: row 2, column 1: /) },
    ]);
    expect(found.suggestions).toEqual([]);
  });

  it('shows targets that were chosen only by position', async () => {
    const text = 'ID,Startzeit,Fertig,Mail,Person,How was it?\n1,,2024-05-31 10:00:00,,,good\n';
    const given = { source: 'microsoft_forms' };
    const found = await plan(text, { given });
    expect(found.warnings.filter(({ code }) => code === 'COLUMN_GUESSED')).toHaveLength(4);
    expect(found.columns.slice(0, 3)).toMatchObject([
      { target: 'id', confidence: 0.7 },
      { target: 'started_at', confidence: 0.5 },
      { target: 'submitted_at', confidence: 0.5 },
    ]);
    const table = { ...DETECT_ALL, columns: [{ heading: 'Startzeit', target: 'started_at' }] };
    const checked = await plan(text, { given, table });
    expect(checked.warnings.filter(({ code }) => code === 'COLUMN_GUESSED')).toHaveLength(3);
    const tolerant = { ...DETECT_ALL, columns: [{ heading: 'startzeit:', target: 'started_at' }] };
    expect((await plan(text, { given, table: tolerant })).warnings.map(({ detail }) => detail)).toEqual(
      checked.warnings.map(({ detail }) => detail),
    );
    const own = { ...DETECT_ALL, columns: [{ heading: 'STARTZEIT', target: 'metadata.begin' }] };
    const ofSurvey = await plan(text, { given, survey: undefined, table: own });
    expect(ofSurvey.problems).toEqual([]);
    expect(ofSurvey.columns[1]).toMatchObject({ target: 'metadata.begin', foundBy: 'option' });
    const made = await plan(text, { given, survey: undefined });
    expect(made.warnings.filter(({ code }) => code === 'COLUMN_GUESSED')).toHaveLength(4);
    expect(made.columns[1]).toMatchObject({ target: 'started_at', foundBy: 'word' });
  });

  it('has no columns for other files', async () => {
    expect(await plan('{"items":[{"landed_at":"x"}]}')).toMatchObject({
      source: 'typeform',
      format: 'json',
      columns: [],
    });
    expect(await plan('')).toMatchObject({ columns: [], problems: [{ code: 'BAD_HEADER' }] });
    expect(await plan(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))).toMatchObject({ problems: [{ code: 'OLD_WORKBOOK' }] });
  });
});

const guess = (name: string, head: string, target: 'survey' | 'responses') => {
  const isArchive = head.startsWith('PK');
  const container = isArchive ? (name.endsWith('.lsa') ? ('zip' as const) : ('xlsx' as const)) : undefined;
  return guessFile(
    { name, head: isArchive ? '' : head, container, sheets: head === 'PK survey' ? ['survey'] : [] },
    target,
  );
};

it.each([
  ['lunch.csv', 'question_id,question_type,question_title\n', 'custom', 'csv'],
  ['form.qsf', '{"SurveyEntry":{}}', 'qualtrics', 'qsf'],
  ['export.json', '{"SurveyEntry":{},"SurveyElements":[]}', 'qualtrics', 'qsf'],
  ['survey.lss', '<?xml version="1.0"?>', 'limesurvey', 'lss'],
  ['form', 'PK survey', 'xlsform', 'xlsx'],
  ['form', 'PK', 'table', 'xlsx'],
  ['form.csv', 'survey,,\n,type,name,label\n', 'xlsform', 'csv'],
  ['form.csv', 'Name,Age\nx,3\n', 'table', 'csv'],
  ['form.csv', 'Note;Question_Type ;"question_title"\n', 'custom', 'csv'],
  ['form.csv', 'Name,Note\nx,my question_id is missing\n', 'table', 'csv'],
  ['form.csv', 'Zeitstempel;Alter\n', 'google_forms', 'csv'],
  ['form.json', '\ufeff{"formId":"1","items":[]}', 'google_forms', 'json'],
  ['x.json', '{"form":{"fields":[{"id":"a"}]}}', 'typeform', 'json'],
  ['x.json', '{"pages":[{"elements":[]}]}', 'surveyjs', 'json'],
  ['x.json', '{"survey":{"title":"x","questions":[]}}', 'custom', 'json'],
  ['x.txt', '{"SurveyEntry":{},"SurveyElements":[]}', 'qualtrics', 'qsf'],
  ['x.csv', '{\n  "form": {"fields": [{"id":"a"}]}}', 'typeform', 'json'],
  ['x.json', '<?xml version="1.0"?>', 'limesurvey', 'lss'],
  ['x.json', 'Name,Age\nx,3\n', 'table', 'csv'],
  ['x.csv', '[1] Name,<b>Age</b>\nx,3\n', 'table', 'csv'],
  ['x.csv', '<b>Age</b>,Name\n3,x\n', 'table', 'csv'],
  ['x.qsf', '', 'qualtrics', 'qsf'],
  ['x', '', 'table', 'csv'],
])('guesses %s (%j) as the survey of a tool', (name, head, source, format) => {
  expect(guess(name, head, 'survey')).toEqual({ source, format });
});

it.each([
  ['a.csv', 'id,submitted_at,q1\n', 'custom', 'csv'],
  ['a.csv', '"Timestamp","How was it?"\n', 'google_forms', 'csv'],
  ['a.csv', 'StartDate,EndDate,Status\n', 'qualtrics', 'csv'],
  ['a.tsv', 'StartDate\tEndDate\tStatus\n', 'qualtrics', 'csv'],
  ['a.csv', 'StartDate;EndDate;Status\n', 'qualtrics', 'csv'],
  ['a.csv', '"id","submitdate","lastpage","startlanguage"\n', 'limesurvey', 'csv'],
  ['a.csv', 'SubmissionDate,q1,KEY\n', 'xlsform', 'csv'],
  ['a.json', '{"id":"1","answers":[]}\n{"id":"2"}\n', 'custom', 'ndjson'],
  ['a.jsonl', '{"id":"1"}', 'custom', 'ndjson'],
  ['a.json', '{"items":[{"landed_at":"x"}]}', 'typeform', 'json'],
  ['a.json', '[{"HappendAt":"x"}]', 'surveyjs', 'json'],
  ['a.csv', '[{"HappendAt":"x"}]', 'surveyjs', 'json'],
  ['a.xlsx', 'PK', 'custom', 'xlsx'],
])('guesses %s (%j) as the responses of a tool', (name, head, source, format) => {
  expect(guess(name, head, 'responses')).toEqual({ source, format });
});

describe('a plan for a table of a tool', () => {
  it('shows what its titles become', async () => {
    const text = [
      'Respondent ID,Collector ID,End Date,How was it?,Days,,Twice,Twice,Floor',
      ',,,Response,mon,tue,,,',
      '1,7,2024-05-31 10:00:00,good,mon,,x,y,2',
    ];
    const found = await plan(text.join('\n'));
    expect([found.source, found.rows, found.problems]).toEqual(['surveymonkey', 1, []]);
    expect(found.columns.map(({ heading, target, foundBy }) => [heading, target, foundBy])).toEqual([
      ['Respondent ID', 'id', 'word'],
      ['Collector ID', 'metadata.collector_id', 'word'],
      ['End Date', 'submitted_at', 'word'],
      ['How was it?', 'q1', 'title'],
      ['Days - mon', 'q3[mon]', 'title'],
      ['Days - tue', 'q3[tue]', 'title'],
      ['Twice', 'q4', 'title'],
      ['Twice', 'q5', 'title'],
      ['Floor', 'metadata.Floor', 'word'],
    ]);
    expect(found.columns[3]?.contents).toEqual(new Map([['text', 1]]));
  });

  it.each([
    ['#,How was it?,mon,tue,Start Date (UTC),Submit Date (UTC)\na,good,mon,,,2024-05-31 10:00:00\n', 'typeform'],
    ['ID,Start time,Completion time,Email,Name,Days\n1,,2024-05-31 10:00:00,,,mon;tue;\n', 'microsoft_forms'],
  ])('recognises the tool of %j', async (text, source) => {
    const found = await plan(text);
    expect([found.source, found.problems, found.columns.some(({ target }) => target === 'submitted_at')]).toEqual([
      source,
      [],
      true,
    ]);
    expect(found.columns.filter(({ questionId }) => questionId === 'q3').length).toBeGreaterThan(0);
  });

  it('reads masked headings like the import', async () => {
    const questions = [{ id: 'handle', type: 'text', title: '@handle' }];
    const own = { ...payload, survey: { ...payload.survey, pages: [{ questions }] } };
    const found = await plan("#,'@handle,Submit Date (UTC)\na,'@zoe,2024-05-31 10:00:00\n", {
      given: { source: 'typeform' },
      survey: { payload: own, definition: compile(own) },
    });
    expect(found.problems).toEqual([]);
    expect(found.columns[1]).toMatchObject({ heading: '@handle', target: 'handle' });
  });

  it('shows the problems of the import', async () => {
    const found = await plan('Respondent ID,Twice,Since\n1,x,3/4/2024\n');
    expect(found.problems.map(({ code }) => code)).toEqual(['BAD_HEADER', 'AMBIGUOUS_DATE']);
  });

  it('shows which columns of a new survey are no questions', async () => {
    const text = 'ID,Start time,Completion time,Email,Name,Points - Dish,Dish\n1,,2024-05-31 10:00:00,,,1,Soup\n';
    const found = await plan(text, { survey: undefined });
    expect(found.columns.map(({ target }) => target)).toEqual([
      'id',
      'started_at',
      'submitted_at',
      'metadata.email',
      'metadata.name',
      'metadata.Points - Dish',
      'text',
    ]);
  });
});
