import { describe, expect, it } from 'vitest';
import { type Sheets, toXlsxParts, writeXlsx } from '../testing/write-xlsx.ts';
import { writeZip } from '../testing/write-zip.ts';
import { fileOf } from './import-file.ts';
import { readXlsx } from './read-xlsx.ts';

const SHEETS: Sheets = { survey: [['type', 'name'], [], ['text', '', 'a < b & "c"']], other: [['x']] };

const read = async (bytes: Buffer, isWanted: (name: string) => boolean = () => true) =>
  readXlsx(fileOf(bytes), isWanted);
const partsWith = (parts: Readonly<Record<string, string | Buffer>>) => writeZip({ ...toXlsxParts(SHEETS), ...parts });
const sheet = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
});
const firstRow = async (row: string, parts: Readonly<Record<string, string>> = {}) =>
  (await read(await partsWith({ ...sheet(`<row r="1">${row}</row>`), ...parts })))[0]?.rows[0]?.cells;

describe('readXlsx', () => {
  it('gives the rows that are not empty, as spreadsheets count them, of the sheets asked for', async () => {
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

  const bomb = Buffer.alloc(40 * 1024 * 1024);
  it.each<readonly [string, () => Promise<Buffer>, string, string]>([
    ['a text file', async () => Buffer.from('type,name'), 'BAD_ZIP', 'no ZIP archive'],
    ['nothing', async () => Buffer.alloc(0), 'BAD_ZIP', 'no ZIP archive'],
    ['another archive', () => writeZip({ 'a.txt': 'a' }), 'BAD_XLSX', 'there is no list of sheets'],
    ['a cut off file', async () => (await writeXlsx(SHEETS)).subarray(0, 900), 'BAD_ZIP', 'no ZIP archive'],
    [
      'a missing sheet',
      () =>
        partsWith({
          'xl/_rels/workbook.xml.rels': '<R><Relationship Id="rId1" Type="worksheet" Target="nope.xml"/></R>',
        }),
      'BAD_XLSX',
      'The sheet survey is missing',
    ],
    ['a bomb', () => partsWith({ 'xl/sharedStrings.xml': bomb }), 'BAD_ZIP', 'too large when it is unpacked'],
    [
      'entities',
      () => partsWith({ 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "a">]><workbook/>' }),
      'BAD_XML',
      'DOCTYPE',
    ],
    [
      'external entities',
      () => partsWith({ 'xl/sharedStrings.xml': '<!DOCTYPE x SYSTEM "file:///etc/passwd"><sst/>' }),
      'BAD_XML',
      'DOCTYPE',
    ],
    [
      'a million columns',
      () => partsWith(sheet(`<row>${'<c><v>1</v></c>'.repeat(3_000)}</row>`)),
      'BAD_XLSX',
      'The sheet survey has more than 2000 columns, in row 1',
    ],
    [
      'more cells than are taken',
      () => partsWith(sheet('<row><c r="BXX1"><v>1</v></c></row>'.repeat(260))),
      'BAD_XLSX',
      'more than 500000 cells',
    ],
    [
      'one long text in many cells',
      () =>
        partsWith({
          'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`,
          ...sheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(40)}</row>`),
        }),
      'BAD_XLSX',
      'characters of text',
    ],
    [
      'a megabyte in one cell',
      () => partsWith(sheet(`<row><c t="str"><v>${'x'.repeat(1_100_000)}</v></c></row>`)),
      'BAD_XML',
      '1048576 characters',
    ],
    [
      'half of a surrogate pair',
      () => partsWith(sheet('<row r="7"><c r="B7" t="str"><v>a_xD800_</v></c></row>')),
      'BAD_XLSX',
      'A cell of the sheet survey, row 7, column 2, has a character that no text has',
    ],
    [
      'a character of nothing',
      () => partsWith(sheet('<row><c t="str"><v>_x0000_</v></c></row>')),
      'BAD_XLSX',
      'row 1, column 1, has a character',
    ],
    ['deep nesting', () => partsWith({ 'xl/workbook.xml': '<a>'.repeat(100) }), 'BAD_XML', '64 elements'],
    [
      'too many files',
      () => writeZip(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`f${index}`, '']))),
      'BAD_ZIP',
      'more than 2000 files',
    ],
    [
      'too many sheets',
      () => partsWith({ 'xl/workbook.xml': `<workbook>${'<sheet name="x"/>'.repeat(201)}</workbook>` }),
      'BAD_XLSX',
      'more than 200 sheets',
    ],
  ])('%s is refused', async (_, make, code, detail) => {
    await expect(read(await make())).rejects.toMatchObject({
      reason: 'INVALID_IMPORT',
      errors: [{ path: '', code, detail: expect.stringContaining(detail) }],
    });
  });

  it('a name that leads out of the archive is refused', async () => {
    const bytes = await partsWith({ 'aa/evil.txt': 'x' });
    const hostile = Buffer.from(bytes.toString('latin1').replaceAll('aa/evil', '../evil'), 'latin1');
    await expect(read(hostile)).rejects.toMatchObject({
      errors: [{ code: 'BAD_ZIP', detail: expect.stringContaining('invalid relative path') }],
    });
  });

  it('a file that unpacks to more than it says is refused', async () => {
    const bytes = await writeZip({ 'xl/workbook.xml': Buffer.alloc(100_000, ' ') });
    const honest = Buffer.alloc(4);
    honest.writeUInt32LE(100_000);
    const lie = Buffer.alloc(4);
    lie.writeUInt32LE(10);
    for (let at = bytes.indexOf(honest); at !== -1; at = bytes.indexOf(honest, at)) lie.copy(bytes, at);
    await expect(read(bytes)).rejects.toMatchObject({
      errors: [{ code: 'BAD_ZIP', detail: expect.stringContaining('too many bytes') }],
    });
  });
});
