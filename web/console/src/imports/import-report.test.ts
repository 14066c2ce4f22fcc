import { expect, it } from 'vitest';
import { describeDryRun, groupWarnings, locateError } from './import-report.tsx';

it.each([
  [{ status: 'running' }, 'The file is being checked…'],
  [{ status: 'failed', total: 2, failed: 2 }, 'The check has ended.'],
  // A file of a survey.
  [{ status: 'completed' }, 'The file can be imported.'],
  [{ status: 'completed', total: 2, imported: 2, failed: 0 }, 'The file can be imported.'],
  [
    { status: 'completed', total: 2, imported: 2, imported_in_part: 1 },
    'The file can be imported, 1 of its responses in part.',
  ],
  [
    { status: 'completed', total: 4, imported: 2, imported_in_part: 1, left_out: 2 },
    '2 of 4 responses can be imported, 1 of them in part.',
  ],
  [{ status: 'completed', total: 4, imported: 1, failed: 3 }, '1 of 4 responses can be imported.'],
  [{ status: 'completed', total: 4, skipped: 4 }, 'All responses of the file exist already.'],
  [
    { status: 'completed', total: 4, imported: 2, imported_in_part: 1, skipped: 2 },
    '2 of 4 responses can be imported, 1 of them in part, 2 exist already.',
  ],
] as const)('describes %j', (item, text) => {
  expect(describeDryRun(item)).toBe(text);
});

const error = { index: 4, id: '', code: 'X' };

it.each([
  [{ row: 3, column: 'taste', detail: 'row 3, question taste: not a number' }, 'row 3', 'taste', 'not a number'],
  [{ row: 4, detail: 'row 4: the row has 9 cells' }, 'row 4', '', 'the row has 9 cells'],
  [{ row: 6, column: 'ate', detail: '/data/ate UNKNOWN_OPTION: no such option' }, 'row 6', 'ate', 'no such option'],
  [{ column: 'ate', detail: '/data/ate UNKNOWN_OPTION: no such option' }, 'response 5', 'ate', 'no such option'],
  [{ detail: 'row 4: kept' }, 'response 5', '', 'row 4: kept'],
  [{ detail: '' }, 'response 5', '', ''],
])('locates %j', (located, position, column, text) => {
  expect(locateError({ ...error, ...located }, 'csv')).toEqual({ position, column, text });
});

it('counts lines of NDJSON', () => {
  expect(locateError({ ...error, row: 7, detail: 'line 7: is not JSON' }, 'ndjson')).toEqual({
    position: 'line 7',
    column: '',
    text: 'is not JSON',
  });
});

it('groups warnings by kind', () => {
  const of = (code: string, path: string) => ({ code, path, detail: 'x' });
  const kinds = groupWarnings([of('NOT_IMPORTED', '/a'), of('NEW_CODE', '/b'), of('NOT_IMPORTED', '/c')]);
  expect(kinds.map(({ code, meaning, warnings }) => [code, meaning !== undefined, warnings.length])).toEqual([
    ['NOT_IMPORTED', true, 2],
    ['NEW_CODE', false, 1],
  ]);
});
