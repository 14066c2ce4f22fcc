import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import {
  MAX_CELL_TEXT,
  type Sheet,
  type SheetCell,
  type ShortenedCell,
  toMoment,
  toTimeOfDay,
  writeWorkbook,
} from './workbook.ts';

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

const sheetOf = (name: string, header: readonly string[], rows: readonly (readonly SheetCell[])[]): Sheet => ({
  name,
  header,
  rows: each(rows),
});

async function write(sheets: Iterable<Sheet>, maxRows?: number) {
  const shortened: ShortenedCell[] = [];
  const onShortened = (cell: ShortenedCell) => shortened.push(cell);
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook(sheets, { onShortened, ...(maxRows && { maxRows }) })) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), shortened };
}

/** Reads a workbook with another implementation. */
async function read(bytes: Uint8Array) {
  const { sheets } = await readXlsx(bytes);
  return sheets.map(({ name, rows }) => ({ name, rows }));
}

describe('a workbook', () => {
  it('has its sheets with their headers, and texts, numbers, days and times in cells', async () => {
    const day = toMoment('2024-02-29', 'date');
    const time = toMoment('2024-05-01T10:20:30.500Z', 'timestamp');
    const { bytes } = await write([
      sheetOf('One', ['a', 'b', 'c', 'd'], [['x', -1.5, day, time], ['', 0, '', '007'], []]),
      sheetOf('Two & more', ['only'], []),
    ]);
    expect(await read(bytes)).toEqual([
      {
        name: 'One',
        rows: [
          ['a', 'b', 'c', 'd'],
          ['x', -1.5, new Date('2024-02-29T00:00:00.000Z'), new Date('2024-05-01T10:20:30.500Z')],
          [null, 0, null, '007'],
        ],
      },
      { name: 'Two & more', rows: [['only']] },
    ]);
  });

  it('keeps texts that look like formulas, markup or escapes as texts', async () => {
    const texts = [
      ...['=1+1', '+1', '-1', '@SUM(A1)', "'=1", '\t=1', '=HYPERLINK("http://x")', '<b>&amp;</b>', ']]>'],
      ...[' padded ', 'two\r\nlines', 'nul\u0000', '_x0041_', '_x000d_', '\u200fש', '😀', '\ufffe', '\u0085'],
    ];
    const { bytes } = await write([
      sheetOf(
        'Texts',
        ['=a'],
        texts.map((text) => [text]),
      ),
    ]);
    expect(await read(bytes)).toEqual([{ name: 'Texts', rows: [['=a'], ...texts.map((text) => [text])] }]);
  });

  it('keeps every text', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(texts, async (row) => {
        const { bytes } = await write([
          sheetOf(
            'T',
            row.map(() => 'h'),
            [row],
          ),
        ]);
        expect((await read(bytes))[0]?.rows[1]).toEqual(row);
      }),
      { numRuns: 10 },
    );
  });

  it('continues in another sheet after the last row of a sheet', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => [index]);
    const { bytes } = await write([sheetOf('R', ['n'], rows), sheetOf('C', ['c'], [])], 3);
    expect(await read(bytes)).toEqual([
      { name: 'R', rows: [['n'], [0], [1]] },
      { name: 'R 2', rows: [['n'], [2], [3]] },
      { name: 'R 3', rows: [['n'], [4]] },
      { name: 'C', rows: [['c']] },
    ]);
    const full = await write([sheetOf('R', ['n'], rows.slice(0, 2))], 3);
    expect(await read(full.bytes)).toHaveLength(1);
  });

  it('marks and reports texts that are too long for a cell', async () => {
    const [fits, tooLong] = ['a'.repeat(MAX_CELL_TEXT), '😀'.repeat(20_000)];
    const { bytes, shortened } = await write([
      sheetOf(
        'R',
        ['a', 'b'],
        [
          ['', fits],
          ['', tooLong],
        ],
      ),
    ]);
    const [, first, second] = (await read(bytes))[0]?.rows ?? [];
    expect(first?.[1]).toBe(fits);
    expect(String(second?.[1])).toHaveLength(MAX_CELL_TEXT);
    expect(second?.[1]).toMatch(/^(😀){16000,}.? … \[shortened\]$/u);
    expect(shortened).toEqual([{ sheet: 'R', cell: 'B3', characters: 40_000 }]);
  });

  it('asks for the next sheet when the last one is written', async () => {
    const log: string[] = [];
    async function* rows() {
      log.push('first rows');
      yield ['x'];
      log.push('last rows');
    }
    function* sheets(): Generator<Sheet> {
      yield { name: 'A', header: ['a'], rows: rows() };
      log.push('next sheet');
    }
    await write(sheets());
    expect(log).toEqual(['first rows', 'last rows', 'next sheet']);
  });

  it('fails before the first piece if the first row does, else later', async () => {
    async function* failAfter(count: number) {
      for (let index = 0; index < count; index += 1) yield ['x'.repeat(1_000)];
      throw new Error('broken row');
    }
    const pieces: number[] = [];
    const consume = async (count: number) => {
      const sheet = { name: 'A', header: ['a'], rows: failAfter(count) };
      for await (const { length } of writeWorkbook([sheet], { onShortened: () => {} })) pieces.push(length);
    };
    await expect(consume(0)).rejects.toThrow('broken row');
    expect(pieces).toEqual([]);
    await expect(consume(5_000)).rejects.toThrow('broken row');
    expect(pieces).not.toEqual([]);
  });

  it('stops reading rows if its reader stops', async () => {
    let [count, isClosed] = [0, false];
    async function* rows() {
      try {
        for (;;) {
          count += 1;
          yield [Math.random().toString(36).repeat(100)];
        }
      } finally {
        isClosed = true;
      }
    }
    const sheet = { name: 'A', header: ['a'], rows: rows() };
    let bytes = 0;
    for await (const { length } of writeWorkbook([sheet], { onShortened: () => {} })) {
      bytes += length;
      if (bytes > 10_000) break;
    }
    expect(isClosed).toBe(true);
    expect(count).toBeLessThan(20_000);
  });
});

describe('a moment', () => {
  it.each(['1900-02-28', '0001-01-01', 'tomorrow'])('that spreadsheets do not have is a text: %s', (text) => {
    expect(toMoment(text, 'date')).toBe(text);
  });

  it('is counted in days', () => {
    expect(toMoment('1900-03-01', 'date')).toEqual({ serial: 61, style: 'date' });
    expect(toMoment('9999-12-31', 'date')).toEqual({ serial: 2_958_465, style: 'date' });
    expect(toTimeOfDay('18:00')).toEqual({ serial: 0.75, style: 'time' });
    expect(toTimeOfDay('00:00:01')).toEqual({ serial: 1 / 86_400, style: 'time' });
  });
});
