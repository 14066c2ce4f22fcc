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

  it.each(HOSTILE_WORKBOOKS)('%s is rejected', async (_, make, code, detail) => {
    await expect(read(await make())).rejects.toMatchObject({
      code: 'INVALID_IMPORT',
      errors: [{ path: '', code, detail: expect.stringContaining(detail) }],
    });
  });
});
