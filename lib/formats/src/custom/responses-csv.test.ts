import { RESPONSE_COLUMNS, responseColumnNames } from '@survey/questionnaire/columns/response-columns';
import { compile } from '@survey/questionnaire/compile';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import { toCsvText } from '@survey/runtime/csv/csv-text';
import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRejected } from '../shared/file-response.ts';
import { readResponsesToEnd } from '../testing/read-to-end.ts';
import { readCustomCsvResponses } from './responses-csv.ts';

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
        startedAt: new Date('2026-01-02T03:04:05Z'),
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
      ['id,submitted_at,status,many[a]', '1,,in_progress,', '2,soon,,', '3,,,yes', '4,,,1,2', '5,,,1', '5,,,1'].join(
        '\n',
      ),
    );
    expect(responses.filter(isRejected).map(({ row, column }) => [row, column])).toEqual([
      [2, 'status'],
      [3, 'submitted_at'],
      [4, 'many'],
      [5, undefined],
      [7, undefined],
    ]);
    expect(responses.filter(isRejected).map(({ index, code, detail }) => [index, code, detail])).toEqual([
      [0, 'BAD_STATUS', 'row 2, column status: the response is in_progress, and only completed responses are imported'],
      [1, 'BAD_TIME', 'row 3, column submitted_at: the value must be an RFC 3339 time'],
      [2, 'WRONG_TYPE', 'row 4, question many: the column [a] must be 1 or empty'],
      [3, 'TOO_MANY_CELLS', 'row 5: the row has 5 cells, but there are 4 columns'],
      [5, 'DUPLICATE_ID', 'An earlier response in the file has the same id'],
    ]);
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
    const [rejected] = (await read('one,started_at\na,before noon')).responses;
    expect(rejected).toMatchObject({ code: 'BAD_TIME', detail: expect.stringContaining('column started_at') });
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

  it('rejects a table of another survey', async () => {
    expect(await errorOf('')).toEqual(['INVALID_IMPORT', 'there is no header row']);
    expect(await errorOf('id,two\n1,2')).toEqual(['INVALID_IMPORT', 'row 1: no column names a question of the survey']);
    expect(await errorOf('one,one\n1,2')).toEqual(['INVALID_IMPORT', 'row 1, column one: the column is duplicate']);
    expect(await errorOf('one\n"a')).toEqual(['INVALID_IMPORT', 'row 2: a quoted cell does not end']);
  });

  it('rejects an export without ids, with advice', async () => {
    const header = [...RESPONSE_COLUMNS, 'Did you eat?'].join(',');
    expect(await errorOf(`${header}\n1`)).toEqual([
      'INVALID_IMPORT',
      'row 1: no column names a question of the survey; export with labels=ids instead of labels=texts',
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
