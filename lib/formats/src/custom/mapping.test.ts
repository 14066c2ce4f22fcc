import { RESPONSE_COLUMNS } from '@survey/questionnaire/columns/response-columns';
import { compile } from '@survey/questionnaire/compile';
import { isObject } from '@survey/questionnaire/json';
import { describe, expect, it } from 'vitest';
import { readAnswerTable } from '../answer-table/survey.ts';
import { readCustomCsvResponses } from '../core/columns/read-table.ts';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { findResponseReader } from '../sources.ts';
import { DETECT_ALL, type TableOptions } from '../tables/table-options.ts';
import { rejectionOf } from '../testing/read-files.ts';
import { readResponsesToEnd } from '../testing/read-to-end.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Canteen',
    supported_languages: ['en', 'de'],
    pages: [
      {
        questions: [
          {
            id: 'meal',
            type: 'single_choice',
            title: { en: 'Favourite meal?', de: 'Lieblingsessen?' },
            options: [
              { id: 's', text: 'Soup' },
              { id: 'p', text: 'Pasta' },
            ],
            allow_other: true,
          },
          {
            id: 'days',
            type: 'multiple_choice',
            title: 'Which days do you come?',
            options: [
              { id: 'mon', text: 'Monday' },
              { id: 'tue', text: 'Tuesday' },
              { id: 'wed', text: 'Wednesday, sometimes' },
            ],
            allow_other: true,
          },
          {
            id: 'when',
            type: 'matrix',
            title: 'When?',
            rows: ['Soup', 'Rice'],
            columns: ['noon', 'night'],
            multiple: true,
          },
          { id: 'agree', type: 'likert', title: 'Do you agree?', options: ['no', 'yes'], rows: ['Fast', 'Good'] },
          { id: 'since', type: 'date', title: 'Customer since' },
        ],
      },
    ],
  },
};
const definition = compile(payload);
const survey = { payload, definition };
const read = (text: string, columns: Readonly<Record<string, string>> = {}, reader = readCustomCsvResponses) =>
  readResponsesToEnd(
    reader,
    text,
    { payload, definition },
    { table: { ...DETECT_ALL, columns: Object.entries(columns).map(([heading, target]) => ({ heading, target })) } },
  );
const answersIn = async (...given: Parameters<typeof read>) =>
  (await read(...given)).responses.map((response) => {
    if (isRejected(response)) return `${response.code} ${response.detail}`;
    const { data, errors } = definition.validate(response.answers, { lenient: true });
    return errors.length === 0 ? data : errors.map(({ code, path }) => `${code} ${path}`);
  });

describe('several options in a cell', () => {
  it.each([
    ['"Monday, Tuesday"', ['mon', 'tue']],
    ['mon;wed', ['mon', 'wed']],
    ['"tuesday, Wednesday, sometimes"', ['tue', 'wed']],
    ['"Monday\nTuesday"', ['mon', 'tue']],
    ['Monday|Tuesday', ['mon', 'tue']],
  ])('%s are read', async (cell, days) => {
    expect(await answersIn(`id,meal,days\n1,Soup,${cell}\n`)).toEqual([{ meal: 's', days }]);
  });

  it('are read for the row of a matrix', async () => {
    expect(await answersIn('When? [Soup],when[Rice]\n"noon, night",noon\n')).toEqual([
      { when: { Soup: ['noon', 'night'], Rice: ['noon'] } },
    ]);
  });

  it('are rejected if one is unknown, like a single choice', async () => {
    const text = 'meal,days\nSoop,mon\nSoup,"Monday, Sunday, at noon"\n';
    expect(await answersIn(text)).toEqual([['UNKNOWN_OPTION /data/meal'], ['UNKNOWN_OPTION /data/days']]);
    expect(await answersIn(text, {}, readAnswerTable)).toEqual([
      { meal: { option: 'other', text: 'Soop' }, days: ['mon'] },
      { meal: 's', days: { options: ['mon'], other: 'Sunday, at noon' } },
    ]);
  });

  it('are rejected if one is unknown and cannot be other', async () => {
    expect(await answersIn('days,days.other\n"Monday, Sunday",\n')).toEqual([['UNKNOWN_OPTION /data/days']]);
    expect(await answersIn('When? [Soup]\nnoon; dawn\n')).toEqual([['UNKNOWN_OPTION /data/when']]);
  });
});

describe('headings with titles', () => {
  it('are questions, rows and options, in any language', async () => {
    const header = [
      'lieblingsessen',
      'Which days do you come? [Monday]',
      'Which days do you come? [Wednesday, sometimes]',
      'Do you agree? - fast',
      'Do you agree?: Good',
      'CUSTOMER SINCE *',
    ];
    const rows = ['soup,x,,Yes,no,29.02.2024', 'PASTA,No,"Wednesday, sometimes",,NO,'];
    const text = [header.map((name) => `"${name}"`).join(','), ...rows].join('\n');
    expect(await answersIn(text)).toEqual([
      { meal: 's', days: ['mon'], agree: { Fast: 'yes', Good: 'no' }, since: '2024-02-29' },
      { meal: 'p', days: ['wed'], agree: { Good: 'no' } },
    ]);
  });

  it('are those of our exports with texts', async () => {
    const header = [
      ...RESPONSE_COLUMNS,
      ...['Favourite meal?', 'Favourite meal? [other]', 'Which days do you come? [Monday]', 'When? [Soup] [noon]'],
    ];
    const row = [
      '6f9619ff-8b86-4011-b42d-00c04fc964ff',
      '2026-01-02T03:04:05Z',
      'completed',
      '',
      '',
      '1',
      'en',
      '',
      'x',
      '',
      'Soup',
      '',
      '1',
      '1',
    ];
    const { responses, warnings } = await read(`${header.join(',')}\n${row.join(',')}\n`);
    expect(warnings).toEqual([]);
    expect(responses).toMatchObject([
      {
        id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
        externalId: 'x',
        completedAt: new Date('2026-01-02T03:04:05Z'),
        answers: { meal: 's', days: ['mon'], when: { Soup: ['noon'] } },
      },
    ]);
  });
});

describe('the option columns', () => {
  it('names targets, excludes columns and keeps others in the metadata', async () => {
    const columns = { When: 'submitted_at', Food: 'meal', '#3': 'metadata.mail', 'Favourite meal?': '' };
    const { responses, warnings } = await read(
      'When,Food,,Favourite meal?\n2026-03-02T12:10:00Z,Soup,a@b.example,x\n',
      columns,
    );
    expect(responses).toMatchObject([
      { completedAt: new Date('2026-03-02T12:10:00Z'), answers: { meal: 's' }, metadata: { mail: 'a@b.example' } },
    ]);
    expect(warnings).toEqual([]);
  });

  it('must name existing columns and targets', async () => {
    const errors = await rejectionOf(read('meal\nSoup\n', { Nope: 'meal', meal: 'nope' }));
    expect(errors).toMatchObject([
      { code: 'UNKNOWN_COLUMN', detail: 'columns: the table has no column Nope; it has meal' },
      {
        code: 'UNKNOWN_TARGET',
        detail: expect.stringContaining('there is no target nope; there are id, submitted_at'),
      },
    ]);
  });

  it('works for tables of other tools', async () => {
    const limesurvey = {
      ...payload,
      survey: {
        ...payload.survey,
        pages: payload.survey.pages.map(({ questions }) => ({
          questions: questions.map((question) => ({ ...question, source_data: { source_id: question.id, type: 'L' } })),
        })),
      },
    };
    const reader = findResponseReader({ source: 'limesurvey', format: 'csv' });
    if (reader === undefined || !isObject(limesurvey)) throw new Error('there is no reader');
    const columns = [
      { heading: 'Day', target: 'since' },
      { heading: 'Mail', target: 'metadata.mail' },
      { heading: 'Code', target: 'language' },
    ];
    const text = [
      'id,submitdate,meal,Day,Mail,Code',
      '1,2024-03-01 10:05:00,Soup,29.02.2024,a@b.example,de',
      '2,,Soup,29.02.2024,,',
      '3,2024-03-01 10:05:00,Pasta,,,',
    ].join('\n');
    const { responses, warnings } = await readResponsesToEnd(
      reader,
      text,
      { payload: limesurvey, definition: compile(limesurvey) },
      { table: { ...DETECT_ALL, columns } },
    );
    expect(responses).toMatchObject([
      { id: '1', language: 'de', metadata: { mail: 'a@b.example' }, answers: { since: '2024-02-29' } },
      { id: '2', status: 'in_progress' },
      { id: '3', language: undefined, completedAt: new Date('2024-03-01T10:05:00Z') },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
  });

  it('can name all columns of questions in a table of another tool, whose cells are converted', async () => {
    const columns = [
      { heading: 'Feeling', target: 'meal.other' },
      { heading: 'Rest', target: 'meal' },
    ];
    const readTool = async (source: string, text: string) => {
      const reader = findResponseReader({ source, format: 'csv' });
      if (reader === undefined) throw new Error('there is no reader');
      const { responses } = await readResponsesToEnd(reader, text, survey, { table: { ...DETECT_ALL, columns } });
      return responses.map((response) => !isRejected(response) && [response.id, response.answers]);
    };
    expect(await readTool('xlsform', '_uuid,Rest,Feeling\nu,other,good\nv,s,n/a\nw,n/a,\n')).toEqual([
      ['u', { meal: { option: 'other', text: 'good' } }],
      ['v', { meal: 's' }],
      ['w', {}],
    ]);
    expect(await readTool('xlsform', '_uuid,Rest,Feeling\nu,other,n/a\n')).toEqual([
      ['u', { meal: { option: 'other', text: 'n/a' } }],
    ]);
    const vv = ['Id\tDate\tRest\tFeeling', 'id\tsubmitdate\tA\tB', '1\t2024-03-01 10:05:00\tother\tx{newline}y'];
    vv.push('2\t2024-03-01 10:05:00\ts\t{question_not_shown}');
    expect(await readTool('limesurvey', vv.join('\n'))).toEqual([
      ['1', { meal: { option: 'other', text: 'x\ny' } }],
      ['2', { meal: 's' }],
    ]);
    await expect(readTool('limesurvey', 'id,Rest,Feeling,Note\n1,s,,x\n')).resolves.toHaveLength(1);
  });

  it.each([
    ['limesurvey', 7, 'id,Note,Day\n1,x,29.02.2024\n'],
    ['qualtrics', 8, 'ResponseId,Note,Day\n1,x,29.02.2024\n'],
    ['xlsform', 7, '_uuid,Note,Day\n1,x,29.02.2024\n'],
  ])('reads the columns of %s that others name in the same pass', async (source, opened, text) => {
    const reader = findResponseReader({ source, format: 'csv' });
    if (reader === undefined) throw new Error('there is no reader');
    const passesFor = async (columns: TableOptions['columns']) => {
      let count = 0;
      const file = fileOf(text);
      const counted = {
        ...file,
        open: () => {
          count += 1;
          return file.open();
        },
      };
      const options = {
        unmask: undefined,
        table: { ...DETECT_ALL, dateFormat: 'DD.MM.YYYY', columns },
        warn: () => {},
      };
      const responses = await Array.fromAsync(reader(counted, survey, options));
      return { opened: count, responses };
    };
    const mapped = await passesFor([{ heading: 'Day', target: 'since' }]);
    expect(mapped.responses).toMatchObject([{ answers: { since: '2024-02-29' } }]);
    const two = await passesFor([
      { heading: 'Day', target: 'since' },
      { heading: 'Note', target: 'metadata.note' },
    ]);
    expect(two.responses).toMatchObject([{ metadata: { note: 'x' } }]);
    expect(two.opened).toBe(mapped.opened);
    // Encoding, separator, header and a sample need the beginning only.
    expect(mapped.opened).toBe(opened);
  });

  it('finds the header of VV files and exports of Qualtrics if columns name their first columns', async () => {
    const readTool = async (source: string, text: string, columns: TableOptions['columns']) => {
      const reader = findResponseReader({ source, format: 'csv' });
      if (reader === undefined) throw new Error('there is no reader');
      const { responses } = await readResponsesToEnd(reader, text, survey, { table: { ...DETECT_ALL, columns } });
      return responses;
    };
    const vv = 'Id\tDate\tRest\nid\tsubmitdate\tA\n1\t2024-03-01 10:05:00\ts\n';
    const ofVv = [
      { heading: 'Id', target: 'external_id' },
      { heading: 'Rest', target: 'meal' },
    ];
    expect(await readTool('limesurvey', vv, ofVv)).toMatchObject([{ externalId: '1', answers: { meal: 's' }, row: 3 }]);
    const qualtrics = 'StartDate,Rest\nStart Date,Which?\n2024-03-01 10:05:00,s\n';
    const ofQualtrics = [
      { heading: 'StartDate', target: 'started_at' },
      { heading: 'Rest', target: 'meal' },
    ];
    expect(await readTool('qualtrics', qualtrics, ofQualtrics)).toMatchObject([
      { startedAt: new Date('2024-03-01T10:05:00Z'), answers: { meal: 's' }, row: 3 },
    ]);
    // The tool's start is kept where the mapped one is empty.
    const own = 'StartDate,Begin,End,Rest\nStart Date,b,e,Which?\n2024-03-01 10:05:00,,2024-03-01T10:10:00Z,s\n';
    const ofOwn = [
      { heading: 'Begin', target: 'started_at' },
      { heading: 'End', target: 'submitted_at' },
      { heading: 'Rest', target: 'meal' },
    ];
    expect(await readTool('qualtrics', own, ofOwn)).toMatchObject([
      { startedAt: new Date('2024-03-01T10:05:00Z'), completedAt: new Date('2024-03-01T10:10:00Z') },
    ]);
  });

  it('must leave a question for the table of another tool', async () => {
    const reader = findResponseReader({ source: 'xlsform', format: 'csv' });
    if (reader === undefined) throw new Error('there is no reader');
    const table = { ...DETECT_ALL, columns: [{ heading: 'Note', target: 'metadata.note' }] };
    expect(await rejectionOf(readResponsesToEnd(reader, '_uuid,Note\nu,x\n', survey, { table }))).toMatchObject([
      { code: 'BAD_HEADER' },
    ]);
  });
});
