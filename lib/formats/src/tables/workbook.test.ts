import { describe, expect, it } from 'vitest';
import { fileOf } from '../files/import-file.ts';
import { HOSTILE_WORKBOOKS, SHEETS, sheetPart, workbookWith } from '../testing/hostile-workbooks.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readXlsx } from './workbook.ts';

const read = async (bytes: Buffer, isWanted: (name: string) => boolean = () => true) =>
  readXlsx(fileOf(bytes), isWanted);
const firstRow = async (row: string, parts: Readonly<Record<string, string>> = {}) =>
  (await read(await workbookWith({ ...sheetPart(`<row r="1">${row}</row>`), ...parts })))[0]?.rows[0]?.cells;

describe('readXlsx', () => {
  it('returns the non-empty rows of the wanted sheets, with row numbers as in spreadsheets', async () => {
    expect(await read(await writeXlsx(SHEETS), (name) => name === 'survey')).toEqual([
      {
        name: 'survey',
        rows: [
          { number: 1, cells: ['type', 'name'] },
          { number: 3, cells: ['text', '', 'a < b & "c"'] },
        ],
      },
      { name: 'other', rows: [] },
    ]);
  });

  it.each([
    ['a shared text of several runs, without how it is read', '<c t="s"><v>0</v></c>', ['bold plain']],
    ['a text in place', '<c t="inlineStr"><is><t>here</t></is></c>', ['here']],
    ['the last result of a formula', '<c t="str"><f>A1&amp;"x"</f><v>ax</v></c>', ['ax']],
    ['true', '<c t="b"><v>1</v></c>', ['TRUE']],
    ['a number as it is meant', '<c><v>0.10000000000000001</v></c>', ['0.1']],
    ['an escaped character', '<c t="str"><v>a_x000D_b</v></c>', ['a\rb']],
    ['an escaped character of two halves', '<c t="str"><v>_xD83D__xDE00_</v></c>', ['😀']],
    ['a cell after empty ones', '<c r="C1"><v>1</v></c><c><v>2</v></c>', ['', '', '1', '2']],
  ])('reads %s', async (_, row, cells) => {
    const strings = '<sst><si><r><t>bold </t></r><r><t>plain</t></r><rPh><t>katakana</t></rPh></si></sst>';
    expect(await firstRow(row, { 'xl/sharedStrings.xml': strings })).toEqual(cells);
  });

  it.each([
    ['00000', 1234, '01234'],
    ['0.00', 2, '2.00'],
    ['0.0#', 2.456, '2.46'],
    ['0.0#', 2.5, '2.5'],
    ['#.##', 0.5, '.5'],
    ['#,##0.00', 1_234_567.5, '1234567.50'],
    ['0%', 0.07, '7%'],
    ['0.00', 1.005, '1.01'],
    ['0', 2.5, '3'],
    ['0%', 1.005, '101%'],
    ['0 m', 5, '5'],
    ['0', 1.5e30, '1.5e+30'],
    ['0,.0', 12_345, '12345'],
    ['#,##0,.00', 12_345, '12345'],
    ['0.0,%', 12_345, '12345'],
    ['0.0 %', -0.125, '-12.5 %'],
    ['000-00-0000', 12_345_678, '012-34-5678'],
    ['(000) 000-0000', 5_551_234_567, '(555) 123-4567'],
    ['"No. "000', 7, 'No. 007'],
    ['0.00\\ "€"', 2.5, '2.50 €'],
    ['[$€-407] 0.00;[Red]-0.00', 2.5, '€ 2.50'],
    ['0;(0)', -5, '-5'],
    ['@', 12, '12'],
    ['# ?/?', 2.5, '2.5'],
    ['0.00E+00', 1250, '1250'],
    ['0,', 1250, '1250'],
    ['[<100]00;0', 7, '7'],
    ['General', 1.5, '1.5'],
    ['000', 1e300, '1e+300'],
    ['"', 5, '5'],
    ['[', 5, '5'],
  ])('displays a number of the format %s', async (format, value, text) => {
    const [sheet] = await read(await writeXlsx({ a: [[{ value, format }]] }));
    expect(sheet?.rows).toEqual([{ number: 1, cells: [text], numbers: new Map([[0, String(value)]]) }]);
  });

  it.each(['m', 'mm', 'M', 'mm"."', 'd/m', '[$-409]mm'])('has dates in the format %s', async (format) => {
    const [sheet] = await read(await writeXlsx({ a: [[{ value: 45_000, format }]] }));
    expect(sheet?.rows).toEqual([{ number: 1, cells: ['2023-03-15'] }]);
  });

  it('can replace built-in formats', async () => {
    const style = (formats: string) =>
      `<styleSheet>${formats}<cellXfs count="1"><xf numFmtId="14"/></cellXfs></styleSheet>`;
    const cellWith = (formats: string) => firstRow('<c s="0"><v>7</v></c>', { 'xl/styles.xml': style(formats) });
    expect(await cellWith('')).toEqual(['1900-01-07']);
    expect(await cellWith('<numFmts><numFmt numFmtId="14" formatCode="000"/></numFmts>')).toEqual(['007']);
  });

  it('has errors of formulas as cells that cannot be read', async () => {
    const [sheet] = await read(await writeXlsx({ a: [[{ error: '#N/A' }, 'x'], [{ error: '#DIV/0!' }], ['', '']] }));
    const unread = (value: string) =>
      new Map([
        [0, { code: 'CELL_ERROR', detail: 'the cell has an error in place of the result of its formula', value }],
      ]);
    expect(sheet?.rows).toEqual([
      { number: 1, cells: ['', 'x'], unread: unread('#N/A') },
      { number: 2, cells: [''], unread: unread('#DIV/0!') },
    ]);
  });

  it.each(HOSTILE_WORKBOOKS)('%s is rejected', async (_, make, code, detail) => {
    await expect(read(await make())).rejects.toMatchObject({
      code: 'INVALID_IMPORT',
      errors: [{ path: '', code, detail: expect.stringContaining(detail) }],
    });
  });
});
