import type { FieldProblem } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileOf, type ImportFile } from '../files/import-file.ts';
import { sheetPart, workbookWith } from '../testing/hostile-workbooks.ts';
import { rejectionOf } from '../testing/read-files.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { writeZip } from '../testing/write-zip.ts';
import { openTable } from './open-table.ts';
import { DETECT_ALL, type TableOptions } from './table-options.ts';

async function read(file: string | Uint8Array | ImportFile, options: Partial<TableOptions> = {}) {
  const warnings: FieldProblem[] = [];
  const given = typeof file === 'string' || file instanceof Uint8Array ? fileOf(file) : file;
  const table = await openTable(given, { ...DETECT_ALL, ...options }, (warning) => warnings.push(warning));
  const rows = await Array.fromAsync(table.rows());
  return { rows: rows.map(({ cells }) => cells), numbers: rows.map(({ number }) => number), warnings, table };
}
const rowsOf = async (...given: Parameters<typeof read>) => (await read(...given)).rows;

/** Encoders for every code unit of a text. */
const ENCODERS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'utf-16le with mark': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
  'utf-16be with mark': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
};
type EncoderName = keyof typeof ENCODERS;
const isEncoder = (name: string): name is EncoderName => name in ENCODERS;
const encoderNames = Object.keys(ENCODERS).filter(isEncoder);

/** Bytes in an encoding of one byte, by its own table. */
function toSingleBytes(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const));
  return Buffer.from([...text].map((character) => bytes.get(character) ?? 0x3f));
}

interface Dialect {
  readonly separator: string;
  readonly lineEnd: string;
  readonly isQuoted: boolean;
  readonly hasSepLine: boolean;
}

function toText(rows: readonly (readonly string[])[], { separator, lineEnd, isQuoted, hasSepLine }: Dialect): string {
  const toCell = (cell: string) => (isQuoted || /["\r\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((cells) => cells.map(toCell).join(separator));
  return [...(hasSepLine ? [`sep=${separator}`] : []), ...lines, ''].join(lineEnd);
}

const dialects = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  isQuoted: fc.boolean(),
  hasSepLine: fc.boolean(),
});
/** Tables with a header and cells of any characters, of the same width. */
const tables = (unit: fc.Arbitrary<string>) =>
  fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc
        .array(fc.array(fc.string({ unit, maxLength: 6 }), { minLength: width, maxLength: width }), { maxLength: 6 })
        .map((rows) => [
          Array.from({ length: width }, (_, index) => `q${index}`),
          ...rows.filter((cells) => cells.some((cell) => cell.trim() !== '')),
        ]),
    );
const pieces = (bytes: Uint8Array, size: number): ImportFile => ({
  size: bytes.length,
  async *open() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  },
});

describe('a table', () => {
  it('is read back the same, in any encoding, separator and line end', async () => {
    const cells = tables(fc.constantFrom(...'ab1 "\',;\t|\n\rß€漢😀'));
    await fc.assert(
      fc.asyncProperty(
        cells,
        dialects,
        fc.constantFrom(...encoderNames),
        fc.integer({ min: 1, max: 9 }),
        async (rows, dialect, encoder, size) => {
          const bytes = ENCODERS[encoder](toText(rows, dialect));
          expect(await rowsOf(pieces(bytes, size))).toEqual(rows);
        },
      ),
    );
  });

  it.each(['windows-1252', 'windows-1250', 'windows-1251', 'iso-8859-15', 'koi8-r'])(
    'is read back the same in %s, if the option says so',
    async (encoding) => {
      const decoder = new TextDecoder(encoding);
      const letters = Array.from({ length: 128 }, (_, index) => decoder.decode(Uint8Array.of(index + 128)));
      const unit = fc.constantFrom(...letters.filter((letter) => /\p{L}/u.test(letter)), 'a', ',');
      await fc.assert(
        fc.asyncProperty(tables(unit), dialects, async (rows, dialect) => {
          const bytes = toSingleBytes(toText(rows, dialect), encoding);
          const found = await read(bytes, { encoding: encoding.toUpperCase() });
          expect(found.rows).toEqual(rows);
          expect(found.warnings).toEqual([]);
        }),
      );
    },
  );

  it('is read back the same from a workbook and from an archive', async () => {
    await fc.assert(
      fc.asyncProperty(tables(fc.constantFrom(...'ab1 ß😀,')), async (rows) => {
        const trimmed = rows.map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1));
        const workbook = await writeXlsx({ responses: rows });
        expect(await rowsOf(workbook)).toEqual(trimmed);
        expect(await rowsOf(await writeZip({ 'export.xlsx': workbook }))).toEqual(trimmed);
        const text = toText(rows, { separator: ';', lineEnd: '\r\n', isQuoted: false, hasSepLine: false });
        expect(await rowsOf(await writeZip({ '__MACOSX/._a.csv': 'x', 'a/export.csv': text }))).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the encoding', () => {
  it.each([
    ['größer,naïve\nça va,Müller\n', 'windows-1252'],
    ['id,why\n1,gr\u00f6\u00dfer\n', 'windows-1252'],
    ['price,quote\n5 €,“so”\n', 'windows-1252'],
  ])('is found for %j, with a warning', async (text, encoding) => {
    const { rows, warnings, table } = await read(toSingleBytes(text, encoding));
    expect(rows.map((cells) => cells.join(',')).join('\n')).toBe(text.trim());
    expect(table.description).toBe(`separator ",", encoding ${encoding}`);
    const detail = `The file does not say its encoding and is read as ${encoding}; set encoding for another one`;
    expect(warnings).toEqual([{ path: '', code: 'ENCODING_ASSUMED', detail }]);
  });

  it.each([
    ['Polish', toSingleBytes('id,why\n1,żółw\n2,źródło\n', 'windows-1250')],
    ['Russian', toSingleBytes('id,why\n1,быстро и вкусно\n', 'windows-1251')],
    ['Japanese', Buffer.from([...Buffer.from('id,why\n1,'), 0x83, 0x89, 0x81, 0x5b, 0x83, 0x81, 0x83, 0x93, 0x0a])],
    ['control characters', Buffer.from([...Buffer.from('id,why\n1,'), 0xe4, 0x07, 0x0a])],
  ])('is asked for with %s', async (_name, bytes) => {
    const detail = 'row 2, column 2: a byte is not utf-8 text; set encoding, such as windows-1252';
    expect(await rejectionOf(read(bytes))).toEqual([{ path: '', code: 'BAD_ENCODING', detail }]);
  });

  it.each([
    ['a damaged file in UTF-8', Buffer.from([...Buffer.from('a,b\n"ö\n,",1\nx,y'), 0xff, 0x0a]), {}, 3, 2],
    ['a file that is cut off', Buffer.from('a;b\n1;ä').subarray(0, -1), {}, 2, 2],
    ['another encoding than given', Buffer.from([0x61, 0x0a, 0x0a, 0xff, 0x0a]), { encoding: 'utf-8' }, 3, 1],
    ['half of a character in UTF-16', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x2c, 0x00, 0x00, 0xd8]), {}, 1, 2],
  ])('reports row and column of a byte in %s', async (_name, bytes, options, row, column) => {
    const [problem] = await rejectionOf(read(bytes, options));
    expect(problem).toMatchObject({
      code: 'BAD_ENCODING',
      detail: expect.stringContaining(`row ${row}, column ${column}: `),
    });
  });

  it('finds an invalid byte far from the beginning', async () => {
    const text = `a,b\n${'é,"x\n"\n'.repeat(30_000)}`;
    const [problem] = await rejectionOf(read(pieces(Buffer.concat([Buffer.from(text), Buffer.of(0xff)]), 10_000)));
    expect(problem?.detail).toContain('row 30002, column 1: ');
  });

  it('must have a name that exists', async () => {
    expect(await rejectionOf(read('a,b', { encoding: 'klingon' }))).toMatchObject([{ code: 'UNKNOWN_ENCODING' }]);
  });

  it('of a byte order mark wins over the option', async () => {
    expect(await rowsOf(Buffer.from('\uFEFFä,b'), { encoding: 'windows-1252' })).toEqual([['ä', 'b']]);
  });
});

describe('the separator', () => {
  it.each([
    [
      'a;b\n"1,2";"3,4"\n',
      ';',
      [
        ['a', 'b'],
        ['1,2', '3,4'],
      ],
    ],
    [
      'Q1. Red, blue?;Q2\nYes;No\n',
      ';',
      [
        ['Q1. Red, blue?', 'Q2'],
        ['Yes', 'No'],
      ],
    ],
    [
      'a,b\nMon;Tue;Wed,1\nMon;Tue,2\n',
      ',',
      [
        ['a', 'b'],
        ['Mon;Tue;Wed', '1'],
        ['Mon;Tue', '2'],
      ],
    ],
    [
      '"a\tb"|c\n1|2\n',
      '|',
      [
        ['a\tb', 'c'],
        ['1', '2'],
      ],
    ],
    ['only\none, or two\na, b, c\n', ';', [['only'], ['one, or two'], ['a, b, c']]],
    [
      'Visits, March\n\nname;day;note\na, b;1;x\nc;2;y, z\n',
      ';',
      [['Visits, March'], ['name', 'day', 'note'], ['a, b', '1', 'x'], ['c', '2', 'y, z']],
    ],
    [
      'name;what, if, any, thing;note\nA;a, b;ok\nB;c, d, e;fine, x\n',
      ';',
      [
        ['name', 'what, if, any, thing', 'note'],
        ['A', 'a, b', 'ok'],
        ['B', 'c, d, e', 'fine, x'],
      ],
    ],
    [
      'name,why\nA,x;y;z\nB,;\n',
      ',',
      [
        ['name', 'why'],
        ['A', 'x;y;z'],
        ['B', ';'],
      ],
    ],
    [
      'a,b,,\n1,2,3,4\n1,2,3,\n',
      ',',
      [
        ['a', 'b', '', ''],
        ['1', '2', '3', '4'],
        ['1', '2', '3', ''],
      ],
    ],
    ['a,b,c\n1\n1,2\n1;2,3,4\n', ',', [['a', 'b', 'c'], ['1'], ['1', '2'], ['1;2', '3', '4']]],
    [
      'who;code;n\nx;="0001234";5\n"y";"=""0009""";"=""7"""\n',
      ';',
      [
        ['who', 'code', 'n'],
        ['x', '0001234', '5'],
        ['y', '0009', '7'],
      ],
    ],
    ['"sep=;"\na;b\n', ';', [['a', 'b']]],
    ['SEP=:\r\na:b\r\n', ':', [['a', 'b']]],
    ['', ',', []],
  ])('of %j is %j', async (text, separator, rows) => {
    const found = await read(text);
    expect(found.rows).toEqual(rows);
    expect(found.table.description).toContain(`separator "${separator}"`);
  });

  it('is that of the option', async () => {
    const text = 'sep=;\na#b;c,d\n1#2;3,4\n';
    const cellsWith = async (separator: string) => (await rowsOf(text, { separator })).at(-1);
    expect(await cellsWith('#')).toEqual(['1', '2;3,4']);
    expect(await cellsWith(',')).toEqual(['1#2;3', '4']);
    expect(await cellsWith('tab')).toEqual(['1#2;3,4']);
    for (const separator of ['', '"', 'a', '1', ';;', '\n']) {
      const detail = 'separator must be one character, such as , or ; or |, or the word tab';
      expect(await rejectionOf(read(text, { separator }))).toEqual([{ path: '', code: 'UNKNOWN_SEPARATOR', detail }]);
    }
  });

  it('has a rival if another one fits nearly as well', async () => {
    expect((await read('a;b,c\n1;2,3\n4;5,6\n')).table.rivalSeparator).toBe(';');
    expect((await read('a\tb;c\n1\t2;3\n4\t5\n6\t7;8\n9\t0;1\n')).table.rivalSeparator).toBe(';');
    expect((await read('a,b\n1;2,3\n4,5\n')).table.rivalSeparator).toBeUndefined();
  });

  it('is named when a row cannot be read', async () => {
    const [problem] = await rejectionOf(read('"a"\t"b"\n"c\t1\n'));
    expect(problem).toMatchObject({ code: 'BAD_CSV', detail: expect.stringContaining('row 2: ') });
    expect(problem?.detail).toContain('(separator tab, encoding utf-8)');
  });

  it('keeps plain quotes between tabs', async () => {
    expect(await rowsOf('a\tb\n5" nail\t"x" and "y"\n"q ""r"""\t1\n')).toEqual([
      ['a', 'b'],
      ['5" nail', '"x" and "y"'],
      ['q "r"', '1'],
    ]);
  });

  it('keeps a CR in the cells of a file with LF', async () => {
    expect(await rowsOf('a,b\nx\ry,"z\r\nw"\n')).toEqual([
      ['a', 'b'],
      ['x\ry', 'z\r\nw'],
    ]);
  });
});

describe('a workbook', () => {
  it('has dates and times in ISO 8601 and numbers with a point', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd/mm/yyyy;@"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>';
    const cells = [
      '<c><v>45351</v></c>',
      '<c s="1"><v>45351</v></c>',
      '<c s="2"><v>45351.5</v></c>',
      '<c s="3"><v>0.395833333333333</v></c>',
      '<c s="4"><v>59</v></c>',
      '<c s="5"><v>2.5</v></c>',
      '<c s="6"><v>1.5</v></c>',
      '<c t="d"><v>2024-02-29</v></c>',
    ];
    const relation = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;
    const parts = {
      ...sheetPart(`<row r="1">${cells.join('')}</row>`),
      'xl/styles.xml': styles,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'worksheet', 'worksheets/sheet2.xml')}${relation('s', 'styles', 'styles.xml')}</Relationships>`,
    };
    const expected = [
      '45351',
      '2024-02-29',
      '2024-02-29T12:00:00',
      '09:30',
      '1900-02-28',
      '2.5 days',
      '1.5',
      '2024-02-29',
    ];
    expect(await rowsOf(await workbookWith(parts))).toEqual([expected]);
  });

  it('gives its first sheet with rows, and names the others', async () => {
    const { rows, warnings, table } = await read(await writeXlsx({ empty: [], answers: [['q'], [1]], notes: [['x']] }));
    expect(rows).toEqual([['q'], ['1']]);
    expect(table.description).toBe('sheet answers');
    const detail = 'The sheet notes is not imported: only the first one is';
    expect(warnings).toEqual([{ path: '', code: 'NOT_IMPORTED', detail }]);
  });

  it('streams more rows than a survey can have', async () => {
    const answers = Array.from({ length: 20_000 }, (_, index) => [index, 'yes', 'a text that many share']);
    const { rows } = await read(await writeXlsx({ answers }));
    expect(rows.length).toBe(20_000);
    expect(rows.at(-1)).toEqual(['19999', 'yes', 'a text that many share']);
  });
});

const MEGABYTE = 1024 * 1024;

describe('a hostile table', () => {
  it.each<readonly [string, () => string | Uint8Array | Promise<Buffer>, string, string]>([
    ['100,000 columns', () => Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(','), 'BAD_CSV', '20000'],
    ['a row without end', () => `a,b\n${'x'.repeat(2 * MEGABYTE)}`, 'BAD_CSV', 'row 2: the row has more than'],
    ['a bomb', () => writeZip({ 'a.csv': Buffer.alloc(200 * MEGABYTE) }), 'BAD_ZIP', 'too large'],
    [
      'many empty cells',
      () => workbookWith(sheetPart('<row><c r="ZZZ1"><v>1</v></c></row>'.repeat(300))),
      'BAD_XLSX',
      'empty cells',
    ],
    [
      'a column too far',
      () => workbookWith(sheetPart(`<row>${'<c><v>1</v></c>'.repeat(20_001)}</row>`)),
      'BAD_XLSX',
      'columns',
    ],
    ['no table', () => writeZip({ 'a.pdf': 'x' }), 'BAD_ZIP', 'no table'],
    ['two tables', () => writeZip({ 'a.csv': 'x', 'b.csv': 'y' }), 'BAD_ZIP', '2 tables'],
    [
      'an archive in an archive',
      async () => writeZip({ 'a.xlsx': await writeZip({ 'a.csv': 'x' }) }),
      'BAD_XLSX',
      'no list',
    ],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae100000000', 'hex'), 'OLD_WORKBOOK', '.xls'],
  ])('%s is rejected', async (_name, make, code, detail) => {
    const [problem] = await rejectionOf(read(await make()));
    expect(problem).toMatchObject({ path: '', code, detail: expect.stringContaining(detail) });
  });

  it('can have long cells', async () => {
    const cell = 'x'.repeat(10_000);
    expect(await rowsOf(`a,b\n${cell},"${cell}"\n`)).toEqual([
      ['a', 'b'],
      [cell, cell],
    ]);
  });

  it('is read or rejected, whatever its bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await read(bytes).catch((error: unknown) => expect(error).toMatchObject({ code: 'INVALID_IMPORT' }));
      }),
    );
  });
});
