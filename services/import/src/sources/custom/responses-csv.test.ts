import { compile } from '@survey/questionnaire/compile';
import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefused } from '../../responses/file-response.ts';
import { responsesFromCsv } from './responses-csv.ts';

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
const read = (text: string) => responsesFromCsv(text, definition);
const errorOf = (text: string, survey = definition) => {
  try {
    responsesFromCsv(text, survey);
  } catch (error) {
    if (error instanceof AppError) return [error.reason, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('responses CSV', () => {
  it('has a row for each response and columns by question, option, row and other', () => {
    const { responses, warnings } = read(
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
        submittedAt: new Date('2026-01-02T03:04:05Z'),
        answers: { one: 'a', many: ['a'], grid: { r: ['d'] }, mood: { x: 'good' } },
      },
      {
        index: 1,
        id: '',
        submittedAt: undefined,
        answers: { one: { option: 'other', text: 'mine' }, mood: { y: 'good' } },
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('refuses each bad row for itself, by row and column', () => {
    const { responses } = read(
      ['id,submitted_at,status,many[a]', '1,,in_progress,', '2,soon,,', '3,,,yes', '4,,,1,2', '5,,,1', '5,,,1'].join(
        '\n',
      ),
    );
    expect(responses.filter(isRefused).map(({ index, code, detail }) => [index, code, detail])).toEqual([
      [0, 'BAD_STATUS', 'row 2, column status: only completed responses can be imported'],
      [1, 'BAD_TIME', 'row 3, column submitted_at: it has to be an RFC 3339 time'],
      [2, 'WRONG_TYPE', 'row 4, question many: the column [a] must be 1 or empty'],
      [3, 'TOO_MANY_CELLS', 'row 5: it has 5 cells, but there are 4 columns'],
      [5, 'DUPLICATE_ID', 'A response before it in the file has the same id'],
    ]);
  });

  it('warns of columns that the survey does not have', () => {
    const { warnings } = read('one,two,__proto__\na,b,c');
    expect(warnings.map(({ detail }) => detail)).toEqual([
      'The column two is not imported: the survey has no such column',
      'The column __proto__ is not imported: the survey has no such column',
    ]);
  });

  it('gives a column to the question of its name rather than to the response', () => {
    const { responses } = responsesFromCsv(
      'id,status\nx,y',
      definitionOf({ id: 'id', type: 'text' }, { id: 'status', type: 'text' }),
    );
    expect(responses).toMatchObject([{ id: '', answers: { id: 'x', status: 'y' } }]);
  });

  it('refuses a file that is no table of the survey', () => {
    expect(errorOf('')).toEqual(['INVALID_IMPORT', 'there is no header row']);
    expect(errorOf('id,two\n1,2')).toEqual(['INVALID_IMPORT', 'row 1: no column names a question of the survey']);
    expect(errorOf('one,one\n1,2')).toEqual(['INVALID_IMPORT', 'row 1, column one: the column is there twice']);
    expect(errorOf('one\n"a')).toEqual(['INVALID_IMPORT', 'row 2: a quoted cell does not end']);
  });

  it('names the limits when there is too much', () => {
    expect(errorOf(`one\n${'a\n'.repeat(1001)}`)[1]).toContain('more than 1000 responses');
    const options = Array.from({ length: 2000 }, (_, index) => `o${index}`);
    const wide = definitionOf(...['a', 'b', 'c'].map((id) => ({ id, type: 'multiple_choice', title: 'T', options })));
    expect(errorOf(`a[o1]\n${'1\n'.repeat(1000)}`, wide)[1]).toContain('more than 2000000');
  });

  it('refuses any other text without breaking', () => {
    const cell = fc.oneof(fc.constantFrom('id', 'status', 'one', 'many[a]', '1', '"', '__proto__', ''), fc.string());
    const table = fc.array(fc.array(cell).map((cells) => cells.join(','))).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.oneof(table, fc.string({ unit: 'binary' })), (text) => {
        try {
          read(text);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'INVALID_IMPORT' });
        }
      }),
    );
  });
});
