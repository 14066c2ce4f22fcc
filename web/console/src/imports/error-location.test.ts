import { expect, it } from 'vitest';
import { locateError } from './error-location.ts';

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
