import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskFormula, toCsvLine, toCsvText, unmaskFormula } from './csv.ts';

const SIGN = /^[=+\-@＝＋－＠]/;

describe('CSV', () => {
  it('has a line per row, and quotes separators and outer whitespace', () => {
    const rows = [
      ['a', 'b, c', 'say "hi"'],
      ['', 'two\nlines', ' padded '],
      [undefined, 'x', undefined],
    ];
    expect(toCsvText(rows)).toBe('\uFEFFa,"b, c","say ""hi"""\r\n,"two\nlines"," padded "\r\n,x,\r\n');
  });

  it('does not quote numbers', () => {
    expect(toCsvText([[-3, 0.5, '-3']])).toBe("\uFEFF-3,0.5,'-3\r\n");
  });

  it('has no cell that is a formula', () => {
    expect(toCsvText([['=1+1', 'a=b', 'x;=1', '"=1']])).toBe('\uFEFF\'=1+1,a=b,x;\'=1,"""\'=1"\r\n');
  });

  it('has no cell that is a formula for a reader with another separator', () => {
    const cells = fc.string({ unit: fc.constantFrom(...`=-@ a"',;\t\r\n＝\u00a0\u200b`), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.array(cells, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const text = toCsvText(rows);
        for (const separator of [',', ';', '\t']) {
          const begins = readCells(text, separator).map((cell) => cell.replace(/^["\s\u200b]+/, ''));
          expect(begins.filter((cell) => SIGN.test(cell))).toEqual([]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps formulas without masking', () => {
    expect(toCsvLine(['=1+1', "'=1", '@a,b', -1], { maskFormulas: false })).toBe('=1+1,\'=1,"@a,b",-1\r\n');
  });
});

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(1)', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠x', "'=1", "''=1"])(
    'that could be a formula is masked: %j',
    (cell) => {
      expect(maskFormula(cell)).toBe(`'${cell}`);
    },
  );

  it.each([
    ['a;=1', "a;'=1"],
    ['a\t=1', "a\t'=1"],
    ['a\n-1', "a\n'-1"],
    ['a\r\n@x', "a\r\n'@x"],
    ['a; " "=1', 'a; " "\'=1'],
    ['a;\u00a0\u200b＝1', "a;\u00a0\u200b'＝1"],
    ["a;'=1;=2", "a;''=1;'=2"],
    [' =1', " '=1"],
    ['"=1', '"\'=1'],
    ['\t=1', "'\t'=1"],
    ['a;\n\n=1\n- b', "a;\n\n'=1\n'- b"],
  ])('that another separator splits is masked where a formula begins: %j', (cell, masked) => {
    expect(maskFormula(cell)).toBe(masked);
    expect(unmaskFormula(masked)).toBe(cell);
  });

  it.each(['', 'a=1', "'", "'quoted'", "it's", '1-5', 'a, =1', "a; ' =1", 'a;b=1', 'a\n\nb', 'a\tb'])(
    'that is no formula is unchanged: %j',
    (cell) => {
      expect([maskFormula(cell), unmaskFormula(cell)]).toEqual([cell, cell]);
    },
  );

  it('survives masking and unmasking', () => {
    const cells = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...`'=+-@a\t＝;" \r\n\u200b`) }),
    );
    fc.assert(
      fc.property(cells, (cell) => {
        expect(unmaskFormula(maskFormula(cell))).toBe(cell);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["'=1;=2", '=1;=2'],
    ["'=1\n'-2;=3", "=1\n'-2;=3"],
    ["x;'=1\n=2", "x;'=1\n=2"],
    [' =1', ' =1'],
    ["'\t=1", '\t=1'],
    ["'-1", '-1'],
  ])('that an earlier release masked at its start only is restored: %j', (masked, cell) => {
    expect(unmaskFormula(masked)).toBe(cell);
  });
});

it('masks a long text in one pass', () => {
  for (const unit of ['\t', "'", '"', '=', ';', "\t'", '"=', "'=", '; "']) {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    expect(unmaskFormula(maskFormula(text))).toBe(text);
  }
});

/** Cells as a lenient reader finds them: quotes count at the start of a cell only, and text after them is added. */
function readCells(text: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (let at = 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted && char === '"' && text.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted && char === '"') isQuoted = false;
    else if (!isQuoted && (char === separator || char === '\n' || char === '\r')) {
      cells.push(cell);
      cell = '';
      isStart = true;
      continue;
    } else if (isStart && char === '"') isQuoted = true;
    else cell += char;
    isStart = false;
  }
  return cells;
}
