import { describe, expect, it } from 'vitest';
import { findResponseColumns, isExportHeader, RESPONSE_COLUMNS, responseColumnNames } from './response-columns.ts';

const taken = new Set(['status', 'q']);
const exported = responseColumnNames(taken);

describe('response columns', () => {
  it('get a prefix if a question has the same name', () => {
    expect(exported).toEqual(RESPONSE_COLUMNS.with(2, 'response:status' as never));
    expect(responseColumnNames(new Set(['q']))).toEqual(RESPONSE_COLUMNS);
  });

  it('identify an export if all of them begin the header, in order', () => {
    expect(isExportHeader([...exported, 'q', 'status'])).toBe(true);
    expect(isExportHeader([...RESPONSE_COLUMNS])).toBe(true);
    expect(isExportHeader([...RESPONSE_COLUMNS.slice(0, 9), 'q'])).toBe(true);
    expect(isExportHeader(['q', ...exported])).toBe(false);
    expect(isExportHeader(exported.slice(0, 8))).toBe(false);
    expect(isExportHeader([])).toBe(false);
  });

  it('are found in an export whatever the names of questions are', () => {
    const positions = RESPONSE_COLUMNS.map((column, index) => [column, index]);
    const former = RESPONSE_COLUMNS.slice(0, 9);
    expect([...findResponseColumns([...RESPONSE_COLUMNS, 'q'], new Set(former))]).toEqual(positions);
    // Exports of earlier releases lack the last column. A question can have its name.
    expect([...findResponseColumns([...former, 'q'], taken)]).toEqual(positions.slice(0, 9));
    expect([...findResponseColumns(RESPONSE_COLUMNS, new Set(['invitation_id']))]).toEqual(positions.slice(0, 9));
    const renamed = findResponseColumns([...exported, 'status'], new Set(['q']));
    expect(renamed.get('status')).toBe(2);
  });

  it('are found in other headers unless a question has the name', () => {
    expect([...findResponseColumns(['q', 'status', 'id'], taken)]).toEqual([['id', 2]]);
    expect([...findResponseColumns(['status', 'response:status'], taken)]).toEqual([['status', 1]]);
  });
});
