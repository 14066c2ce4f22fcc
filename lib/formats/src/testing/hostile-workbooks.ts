import { type Sheets, toXlsxParts, writeXlsx } from './write-xlsx.ts';
import { writeZip } from './write-zip.ts';

export const SHEETS: Sheets = { survey: [['type', 'name'], [], ['text', '', 'a < b & "c"']], other: [['x']] };

/** The valid workbook with some files replaced. */
export const workbookWith = (parts: Readonly<Record<string, string | Buffer>>) =>
  writeZip({ ...toXlsxParts(SHEETS), ...parts });

/** A first sheet with these rows, for `workbookWith`. */
export const sheetPart = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
});

const BOMB = Buffer.alloc(40 * 1024 * 1024);

/** A malicious workbook: name, factory, expected error code and part of the detail. */
type HostileWorkbook = readonly [name: string, make: () => Promise<Buffer>, code: string, detail: string];

export const HOSTILE_WORKBOOKS: readonly HostileWorkbook[] = [
  ['a text file', async () => Buffer.from('type,name'), 'BAD_ZIP', 'The ZIP archive cannot be read'],
  ['nothing', async () => Buffer.alloc(0), 'BAD_ZIP', 'The ZIP archive cannot be read'],
  ['another archive', () => writeZip({ 'a.txt': 'a' }), 'BAD_XLSX', 'it has no list of sheets'],
  [
    'a cut off file',
    async () => (await writeXlsx(SHEETS)).subarray(0, 900),
    'BAD_ZIP',
    'The ZIP archive cannot be read',
  ],
  [
    'a missing sheet',
    () =>
      workbookWith({
        'xl/_rels/workbook.xml.rels': '<R><Relationship Id="rId1" Type="worksheet" Target="nope.xml"/></R>',
      }),
    'BAD_XLSX',
    'The sheet survey is missing',
  ],
  [
    'a sheet without a relationship',
    () => workbookWith({ 'xl/_rels/workbook.xml.rels': '<Relationships/>' }),
    'BAD_XLSX',
    'The sheet survey is missing',
  ],
  ['a bomb', () => workbookWith({ 'xl/sharedStrings.xml': BOMB }), 'BAD_ZIP', 'is too large'],
  [
    'entities',
    () => workbookWith({ 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "a">]><workbook/>' }),
    'BAD_XML',
    'DOCTYPE',
  ],
  [
    'external entities',
    () => workbookWith({ 'xl/sharedStrings.xml': '<!DOCTYPE x SYSTEM "file:///etc/passwd"><sst/>' }),
    'BAD_XML',
    'DOCTYPE',
  ],
  [
    'a million columns',
    () => workbookWith(sheetPart(`<row>${'<c><v>1</v></c>'.repeat(3_000)}</row>`)),
    'BAD_XLSX',
    'The sheet survey has more than 2000 columns, in row 1',
  ],
  [
    'more cells than allowed',
    () => workbookWith(sheetPart('<row><c r="BXX1"><v>1</v></c></row>'.repeat(260))),
    'BAD_XLSX',
    'more than 500000 cells',
  ],
  [
    'one long text in many cells',
    () =>
      workbookWith({
        'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`,
        ...sheetPart(`<row>${'<c t="s"><v>0</v></c>'.repeat(40)}</row>`),
      }),
    'BAD_XLSX',
    'characters, the limit',
  ],
  [
    'a megabyte in one cell',
    () => workbookWith(sheetPart(`<row><c t="str"><v>${'x'.repeat(1_100_000)}</v></c></row>`)),
    'BAD_XML',
    '1048576 characters',
  ],
  [
    'half of a surrogate pair',
    () => workbookWith(sheetPart('<row r="7"><c r="B7" t="str"><v>a_xD800_</v></c></row>')),
    'BAD_XLSX',
    'A cell of the sheet survey, row 7, column 2, has an invalid character',
  ],
  [
    'a NUL character',
    () => workbookWith(sheetPart('<row><c t="str"><v>_x0000_</v></c></row>')),
    'BAD_XLSX',
    'row 1, column 1, has an invalid character',
  ],
  ['deep nesting', () => workbookWith({ 'xl/workbook.xml': '<a>'.repeat(100) }), 'BAD_XML', '64 levels'],
  [
    'too many files',
    () => writeZip(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`f${index}`, '']))),
    'BAD_ZIP',
    'more than 2000 files',
  ],
  [
    'too many sheets',
    () => workbookWith({ 'xl/workbook.xml': `<workbook>${'<sheet name="x"/>'.repeat(201)}</workbook>` }),
    'BAD_XLSX',
    'more than 200 sheets',
  ],
  ['a name that leads out of the archive', escapeArchive, 'BAD_ZIP', 'invalid relative path'],
  ['a file that unpacks to more than it says', understateSize, 'BAD_ZIP', 'too many bytes'],
];

async function escapeArchive(): Promise<Buffer> {
  const bytes = await workbookWith({ 'aa/evil.txt': 'x' });
  return Buffer.from(bytes.toString('latin1').replaceAll('aa/evil', '../evil'), 'latin1');
}

async function understateSize(): Promise<Buffer> {
  const bytes = await writeZip({ 'xl/workbook.xml': Buffer.alloc(100_000, ' ') });
  const actualSize = Buffer.alloc(4);
  actualSize.writeUInt32LE(100_000);
  const statedSize = Buffer.alloc(4);
  statedSize.writeUInt32LE(10);
  for (let at = bytes.indexOf(actualSize); at !== -1; at = bytes.indexOf(actualSize, at)) statedSize.copy(bytes, at);
  return bytes;
}
