import { toCsvText } from '@survey/questionnaire/columns/csv';
import { RESPONSE_COLUMNS, responseColumnNames } from '@survey/questionnaire/columns/response-columns';
import { compile } from '@survey/questionnaire/compile';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DETECT_ALL, type TableOptions } from '../../tables/table-options.ts';
import { rejectionOf } from '../../testing/read-files.ts';
import { readResponsesToEnd } from '../../testing/read-to-end.ts';
import { writeXlsx } from '../../testing/write-xlsx.ts';
import { isRejected } from '../responses/response.ts';
import { readCustomCsvResponses } from './read-table.ts';

const definitionOf = (...questions: readonly object[]) =>
  compile({
    schema_version: '1.0',
    version: 1,
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] },
  });
const definition = definitionOf(
  { id: 'one', type: 'single_choice', title: 'T', options: ['a', 'b'], allow_other: true },
  { id: 'many', type: 'multiple_choice', title: 'T', options: ['a', 'b'] },
  { id: 'grid', type: 'matrix', title: 'T', rows: ['r'], columns: ['c', 'd'], multiple: true },
  { id: 'mood', type: 'likert', title: 'T', options: ['good'], rows: ['x', 'y'] },
);
const anyText = fc.string({ unit: fc.constantFrom(...'\'=+-@\t\r\n＝ a,;"') });
const details = {
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
};
const read = (text: string, { survey = definition, unmask }: { survey?: typeof definition; unmask?: boolean } = {}) =>
  readResponsesToEnd(readCustomCsvResponses, text, { payload: {}, definition: survey }, { unmask });
const errorOf = async (text: string, survey = definition) => {
  try {
    await read(text, { survey });
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('responses CSV', () => {
  it('has a row for each response and columns by question, option, row and other', async () => {
    const { responses, warnings } = await read(
      [
        'id,submitted_at,status,one,one.other,many[a],many[b],grid[r][c],grid[r][d],mood[x],mood[y]',
        'r1,2026-01-02T03:04:05Z,completed,a,,1,,,1,good,',
        '',
        ',,,,mine,,,,,,good',
      ].join('\r\n'),
    );
    expect(responses).toEqual([
      {
        index: 0,
        id: 'r1',
        row: 2,
        ...details,
        startedAt: undefined,
        completedAt: new Date('2026-01-02T03:04:05Z'),
        answers: { one: 'a', many: ['a'], grid: { r: ['d'] }, mood: { x: 'good' } },
      },
      {
        index: 1,
        id: '',
        row: 4,
        ...details,
        answers: { one: { option: 'other', text: 'mine' }, mood: { y: 'good' } },
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('rejects each invalid row by itself, with row and column', async () => {
    const { responses } = await read(
      ['id,submitted_at,status,many[a]', '1,,done,', '2,soon,,', '3,,,yes', '4,,,1,2', '5,,,1', '5,,,1'].join('\n'),
    );
    expect(responses.filter(isRejected).map(({ row, column }) => [row, column])).toEqual([
      [2, 'status'],
      [5, undefined],
      [7, undefined],
    ]);
    expect(responses.filter(isRejected).map(({ index, code, detail }) => [index, code, detail])).toEqual([
      [0, 'BAD_STATUS', expect.stringMatching(/^row 2, column status: the status must be/)],
      [3, 'TOO_MANY_CELLS', 'row 5: the row has 5 cells, but there are 4 columns'],
      [5, 'DUPLICATE_ID', 'An earlier response in the file has the same id'],
    ]);
  });

  it('reports the cells that it cannot read', async () => {
    const { responses } = await read('id,submitted_at,status,many[a],many[b],one\n2,soon,in_progress,yes,1,b');
    expect(responses).toMatchObject([
      {
        id: '2',
        row: 2,
        status: 'in_progress',
        completedAt: undefined,
        answers: { one: 'b' },
        unread: [
          { name: 'submitted_at', code: 'BAD_TIME', value: 'soon' },
          { name: 'many', code: 'WRONG_TYPE', value: { 'many[a]': 'yes', 'many[b]': '1' } },
        ],
      },
    ]);
  });

  it('reports values of unknown columns', async () => {
    const { responses } = await read('one,two\na,b\na,');
    expect(responses[0]).toMatchObject({ unassigned: [{ column: 'two', code: 'UNKNOWN_COLUMN' }] });
    expect(responses[1]).not.toHaveProperty('unassigned');
  });

  it('warns about unknown columns', async () => {
    const { warnings } = await read('one,two,__proto__\na,b,c');
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'The column two is not imported: the survey has no such column',
      'The column __proto__ is not imported: the survey has no such column',
    ]);
  });

  it('prefers questions over columns about the response', async () => {
    const survey = definitionOf({ id: 'id', type: 'text' }, { id: 'status', type: 'text' });
    expect((await read('id,status\nx,y', { survey })).responses).toMatchObject([
      { id: '', answers: { id: 'x', status: 'y' } },
    ]);
    const both = await read('response:id,id,response:status,status\n7,x,completed,y', { survey });
    expect(both).toMatchObject({ responses: [{ id: '7', answers: { id: 'x', status: 'y' } }], warnings: [] });
  });

  it('imports columns about the response itself', async () => {
    const { responses, warnings } = await read(
      'one,language,started_at,external_id,created_at,survey_version,link_id\na, de ,2026-01-02T03:04:05Z, x ,,9,l',
    );
    const given = { language: 'de', externalId: ' x ', startedAt: new Date('2026-01-02T03:04:05Z') };
    expect(responses).toEqual([{ index: 0, id: '', row: 2, ...details, ...given, answers: { one: 'a' } }]);
    expect(warnings).toEqual([]);
    const [bad] = (await read('one,started_at\na,before noon')).responses;
    expect(bad).toMatchObject({ unread: [{ name: 'started_at', code: 'BAD_TIME' }] });
  });

  it('removes apostrophes before formulas only with unmask', async () => {
    const survey = definitionOf({ id: '-1', type: 'text' }, { id: 'q', type: 'text' });
    const answersOf = async (text: string, unmask?: boolean) =>
      (await read(text, { survey, ...(unmask === undefined ? {} : { unmask }) })).responses.map((response) =>
        isRejected(response) ? response.code : response.answers,
      );
    expect(await answersOf("q\n'=1\n''=1\n'x\n=1")).toEqual([{ q: "'=1" }, { q: "''=1" }, { q: "'x" }, { q: '=1' }]);
    expect(await answersOf("'-1,q\n'=1,'x\n''=1,=1", true)).toEqual([
      { '-1': '=1', q: "'x" },
      { '-1': "'=1", q: '=1' },
    ]);
  });

  it('keeps apostrophes of our own workbooks, which are not masked', async () => {
    const survey = definitionOf({ id: 'q', type: 'text' });
    const responses = [
      [...RESPONSE_COLUMNS, 'q'],
      ['a', '', 'completed', '', '', '', '', '', '', '', "'=1; '=2"],
    ];
    const answersIn = async (sheets: Parameters<typeof writeXlsx>[0]) => {
      const file = await writeXlsx(sheets);
      const settings = { payload: {}, definition: survey };
      const read = await readResponsesToEnd(readCustomCsvResponses, file, settings, { unmask: undefined });
      return read.responses.map((response) => (isRejected(response) ? response.code : response.answers));
    };
    expect(await answersIn({ Responses: responses, Codebook: [['column'], ['q']] })).toEqual([{ q: "'=1; '=2" }]);
    expect(await answersIn({ Responses: responses, Codebook: [['Variable'], ['q']] })).toEqual([{ q: '=1; =2' }]);
    // A CSV file that a spreadsheet saved as a workbook.
    expect(await answersIn({ Responses: responses })).toEqual([{ q: '=1; =2' }]);
  });

  it('reads the metadata of an export', async () => {
    const survey = definitionOf({ id: 'metadata.a', type: 'text' }, { id: 'q', type: 'text', title: 'Metadata' });
    const header = [...RESPONSE_COLUMNS, 'metadata.a', 'response:metadata.a', 'metadata.b', 'metadata'];
    const rowOf = (...cells: readonly string[]) => [...RESPONSE_COLUMNS.map(() => ''), 'x', ...cells];
    const rows = [rowOf('1', '', '{"c":{"d":[null]}}'), rowOf('', '2', ''), rowOf('', '', '[1]')];
    const { responses, warnings } = await read(toCsvText([header, ...rows]), { survey });
    expect(warnings).toEqual([]);
    expect(responses).toMatchObject([
      { answers: { 'metadata.a': 'x' }, metadata: { a: '1', c: { d: [null] } } },
      { metadata: { b: '2' } },
      { metadata: undefined, unread: [{ kind: 'response', name: 'metadata', code: 'WRONG_TYPE', value: '[1]' }] },
    ]);
  });

  it('rejects a table of another survey', async () => {
    expect(await errorOf('')).toEqual(['INVALID_IMPORT', 'there is no header row']);
    expect(await errorOf('id,two\n1,2')).toEqual([
      'INVALID_IMPORT',
      'row 1: no column names a question of the survey (separator ",", encoding utf-8)',
    ]);
    expect(await errorOf('one,one\n1,2')).toEqual(['INVALID_IMPORT', 'row 1, column one: the column is duplicate']);
    expect(await errorOf('one\n"a')).toEqual([
      'INVALID_IMPORT',
      'row 2: a quoted cell does not end (separator ",", encoding utf-8)',
    ]);
  });

  it('reads an export unchanged, for any answers and external ids', async () => {
    await fc.assert(
      fc.asyncProperty(anySurvey, fc.array(fc.tuple(anyData, anyText, fc.uuid())), async (payload, given) => {
        const survey = compile(payload);
        const names = new Set(survey.columns.map(({ name }) => name));
        fc.pre(names.size > 0 && names.size === survey.columns.length);
        const written = given.map(([raw, externalId, id]) => ({ id, externalId, data: survey.validate(raw).data }));
        const own = ({ id, externalId }: (typeof written)[number]) =>
          RESPONSE_COLUMNS.map((name) => (name === 'id' ? id : name === 'external_id' ? externalId : ''));
        const text = toCsvText([
          [...responseColumnNames(names), ...survey.columns.map(({ name }) => name)],
          ...written.map((response) => [...own(response), ...survey.cellsFromAnswers(response.data)]),
        ]);
        const { responses, warnings } = await read(text, { survey });
        expect(warnings).toEqual([]);
        const found = responses.map((response) => {
          if (isRejected(response)) return response;
          const { data } = survey.validate(response.answers, { lenient: true, partial: true });
          return { id: response.id, externalId: response.externalId ?? '', data };
        });
        expect(found).toEqual(written);
      }),
    );
  });

  it('rejects any other text without other errors', async () => {
    const cell = fc.oneof(fc.constantFrom('id', 'status', 'one', 'many[a]', '1', '"', '__proto__', ''), fc.string());
    const table = fc.array(fc.array(cell).map((cells) => cells.join(','))).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(table, fc.string({ unit: 'binary' })), async (text) => {
        try {
          await read(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_IMPORT' });
        }
      }),
    );
  });
});

describe('a table of responses', () => {
  const payload = {
    schema_version: '1.0',
    version: 1,
    survey: {
      title: 'Canteen',
      supported_languages: ['en'],
      pages: [
        {
          questions: [
            { id: 'meal', type: 'single_choice', title: 'Meal?', options: [{ id: 's', text: 'Soup' }] },
            { id: 'why', type: 'textarea', title: 'Why?' },
            { id: 'score', type: 'rating', title: 'Score?', min: 1, max: 5 },
            { id: 'spend', type: 'text', title: 'Spend?', format: 'number' },
            { id: 'since', type: 'date', title: 'Since?' },
            { id: 'at', type: 'time', title: 'At?' },
          ],
        },
      ],
    },
  };
  const survey = compile(payload);
  const readTable = (contents: string | Uint8Array, table: Partial<TableOptions> = {}) =>
    readResponsesToEnd(
      readCustomCsvResponses,
      contents,
      { payload, definition: survey },
      { table: { ...DETECT_ALL, ...table } },
    );
  const answersIn = async (...given: Parameters<typeof readTable>) =>
    (await readTable(...given)).responses.map((response) => {
      if (isRejected(response)) return `${response.code} ${response.detail}`;
      const { data, errors } = survey.validate(response.answers, { lenient: true });
      return errors.length === 0 ? data : errors;
    });
  const HEADER = 'id,meal,why,score,spend,since';
  const ANSWER = { meal: 's', why: 'größer', score: 4, spend: '12.5', since: '2024-02-29' };

  it.each([
    ['semicolons', Buffer.from(`${HEADER.replaceAll(',', ';')}\n1;s;größer;4;12.5;2024-02-29\n`)],
    ['a decimal comma', Buffer.from(`${HEADER.replaceAll(',', ';')}\n1;s;größer;4;12,5;29.02.2024\n`)],
    ['a line sep=', Buffer.from(`sep=;\r\n${HEADER.replaceAll(',', ';')}\r\n1;s;größer;4;12.5;2024-02-29\r\n`)],
    ['line ends of the old Mac', Buffer.from(`${HEADER}\r1,s,größer,4,12.5,2024-02-29\r`)],
    ['Windows-1252', Buffer.from(`${HEADER}\n1,s,größer,4,12.5,2024-02-29\n`, 'latin1')],
    [
      'tabs and UTF-16',
      Buffer.from(`\uFEFF${HEADER.replaceAll(',', '\t')}\n1\ts\tgrößer\t4\t12.5\t2024-02-29\n`, 'utf16le'),
    ],
    ['trailing cells', Buffer.from(`${HEADER},,\n1,s,größer,4,12.5,2024-02-29,,,,\n`)],
  ])('is read with %s', async (_name, contents) => {
    expect(await answersIn(contents)).toEqual([ANSWER]);
  });

  it('is read from a workbook', async () => {
    const cells = ['1', 's', 'größer', 4, 12.5, 45_351];
    expect(await answersIn(await writeXlsx({ answers: [HEADER.split(','), cells] }))).toEqual([ANSWER]);
  });

  it('can have dates, times and numbers as people write them', async () => {
    const cells = [
      '29.02.2024,3',
      '2/29/2024,3',
      '45351,3',
      '2024-02-29 00:00:00,3',
      '2024-02-29T00:00:00Z,3',
      '2024-02-29,"1,250.50"',
      '2024-02-29,"1250,5"',
    ];
    const found = await answersIn(`since,spend\n${cells.join('\n')}\n`);
    const spends = ['3', '3', '3', '3', '3', '1250.50', '1250.5'];
    expect(found).toEqual(spends.map((spend) => ({ since: '2024-02-29', spend })));
    expect(await answersIn('at\n9:30 pm\n')).toEqual([{ at: '21:30' }]);
  });

  it('asks before it reads a date or number that can be two', async () => {
    const text = 'since;spend\n03/04/2024;1,250\n';
    expect(await rejectionOf(readTable(text))).toMatchObject([
      { code: 'AMBIGUOUS_DATE', detail: expect.stringMatching(/^row 2, column since: .* set date_format/) },
      { code: 'AMBIGUOUS_NUMBER', detail: expect.stringMatching(/^row 2, column spend: .* set decimal/) },
    ]);
    expect(await answersIn(text, { locale: 'de' })).toEqual([{ since: '2024-04-03', spend: '1.250' }]);
    expect(await answersIn(text, { dateFormat: 'MM/DD/YYYY', decimal: '.' })).toEqual([
      { since: '2024-03-04', spend: '1250' },
    ]);
  });

  it('reads its times as UTC, with a warning, if they have no zone', async () => {
    const { responses, warnings } = await readTable('submitted_at,why\n2026-03-02 12:10,a\n02.03.2026 12:10:05,b\n');
    expect(responses).toMatchObject([
      { completedAt: new Date('2026-03-02T12:10:00Z') },
      { completedAt: new Date('2026-03-02T12:10:05Z') },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
  });

  it('ignores duplicate names that do not matter, and reports values without a name', async () => {
    const { responses, warnings } = await readTable('why,note,,note\na,b,c,d\n');
    expect(responses).toMatchObject([{ answers: { why: 'a' } }]);
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'The column note is not imported: the survey has no such column',
      'The column note is not imported: the survey has no such column',
      'The column 3 is not imported: it has no name in the header',
    ]);
    expect(await rejectionOf(readTable('why,id,id\na,1,2\n'))).toMatchObject([
      { code: 'BAD_HEADER', detail: 'row 1, column id: the column is duplicate' },
    ]);
  });
});
