import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsvLine, toCsvText } from './csv-text.ts';
import { maskFormula, unmaskFormula } from './formula.ts';

describe('CSV', () => {
  it('has a line per row, and quotes separators and outer whitespace', () => {
    const rows = [
      ['a', 'b, c', 'say "hi"'],
      ['', 'two\nlines', ' padded '],
    ];
    expect(toCsvText(rows)).toBe('\uFEFFa,"b, c","say ""hi"""\r\n,"two\nlines"," padded "\r\n');
  });

  it('does not quote numbers', () => {
    expect(toCsvText([[-3, 0.5, '-3']])).toBe("\uFEFF-3,0.5,'-3\r\n");
  });

  it('has no cell that is a formula', () => {
    expect(toCsvText([['=1+1', 'a=b', '"=1']])).toBe('\uFEFF\'=1+1,a=b,"""=1"\r\n');
  });

  it('keeps formulas without masking', () => {
    expect(toCsvLine(['=1+1', "'=1", '@a,b', -1], { maskFormulas: false })).toBe('=1+1,\'=1,"@a,b",-1\r\n');
  });
});

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠x', "'=1", "''=1"])(
    'that could be a formula is masked: %j',
    (cell) => {
      expect(maskFormula(cell)).toBe(`'${cell}`);
    },
  );

  it.each(['', 'a=1', "'", "'quoted'", "it's", '1-5', ' =1'])('that is no formula is unchanged: %j', (cell) => {
    expect([maskFormula(cell), unmaskFormula(cell)]).toEqual([cell, cell]);
  });

  it('survives masking and unmasking', () => {
    const cells = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(..."'=+-@a\t＝") }));
    fc.assert(
      fc.property(cells, (cell) => {
        expect(unmaskFormula(maskFormula(cell))).toBe(cell);
      }),
    );
  });
});
