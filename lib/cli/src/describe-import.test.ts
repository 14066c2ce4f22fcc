import { expect, it } from 'vitest';
import { describeImport } from './describe-import.ts';

const counts = { imported: 3, imported_in_part: 0, skipped: 0, failed: 0, left_out: 0, omissions: [] };

it('describes an import without problems in a line', () => {
  expect(describeImport(counts)).toEqual(['3 imported, 0 rejected']);
});

it('says that a dry run stores nothing', () => {
  const line = 'Dry run: nothing is stored. An import would have this result:';
  expect(describeImport(counts, true)).toEqual([line, '3 imported, 0 rejected']);
});

it('describes what is not stored, with positions', () => {
  const base = { code: 'UNKNOWN_OPTION', detail: 'no such option', count: 2 };
  const omissions = [
    {
      ...base,
      column: 'q1',
      action: 'kept' as const,
      examples: [
        { index: 0, row: 2 },
        { index: 4, row: 6 },
      ],
    },
    { ...base, column: 'q2', action: 'dropped' as const, examples: [{ index: 0 }] },
  ];
  expect(describeImport({ ...counts, imported_in_part: 2, skipped: 1, failed: 4, left_out: 5, omissions })).toEqual([
    '3 imported (2 of them in part), 1 exist already, 5 left out, 4 rejected',
    'q1: 2 kept in the metadata, UNKNOWN_OPTION: no such option (row 2, row 6)',
    'q2: 2 dropped, UNKNOWN_OPTION: no such option (response 1)',
  ]);
});
