import { expect, it } from 'vitest';
import { toCsv } from './table-csv.ts';

it('quotes cells, and masks formulas but not numbers', () => {
  const table = {
    columns: [{ header: 'Option' }, { header: 'Responses', format: 'number' as const }],
    rows: [
      ['a, "b"\nc', 1.5],
      ['=1+1', -1],
      ['-', undefined],
    ],
  };
  expect(toCsv(table)).toBe('\uFEFFOption,Responses\r\n"a, ""b""\nc",1.5\r\n\'=1+1,-1\r\n\'-,\r\n');
});
