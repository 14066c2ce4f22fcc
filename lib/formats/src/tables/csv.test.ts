import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, readCsvRows } from './csv.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  // Decoders do not split characters.
  const characters = [...text];
  for (let at = 0; at < characters.length; at += size) yield characters.slice(at, at + size).join('');
}
const COMMA: Dialect = { separator: ',', lineEnds: ['\r\n', '\n'], skip: 0, hasPlainQuotes: false };
/** Every cell quoted. */
const toText = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()).join('\r\n');
const read = (text: string, size = 3, dialect: Partial<Dialect> = {}) =>
  Array.fromAsync(readCsvRows(inPieces(text, size), { ...COMMA, ...dialect }));

describe('the rows of a CSV file', () => {
  it('are read unchanged from chunks of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom(...'a,"é😀 ;\n') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1 })),
        fc.integer({ min: 1, max: 7 }),
        async (rows, size) => {
          const found = await read(toText(rows), size);
          const written = rows
            .map((cells, index) => ({ number: index + 1, cells }))
            .filter(({ cells }) => cells.some((text) => text.trim() !== ''));
          expect(found).toEqual(written);
        },
      ),
    );
  });

  it('have row numbers as in spreadsheets, without empty rows', async () => {
    expect(await read('a,b\r\n\r\n,\n"c\r\nd",e\n')).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 4, cells: ['c\r\nd', 'e'] },
    ]);
  });

  it('can have another separator', async () => {
    expect(await read('a;b,c', 2, { separator: ';' })).toEqual([{ number: 1, cells: ['a', 'b,c'] }]);
  });

  it.each([
    ['a\nb\n"c', 'row 3: a quoted cell does not end (separator ",")'],
    ['a\nb\n"c"d', 'row 3: there is text after the closing quote of a cell (separator ",")'],
    [`a\nb\n${','.repeat(30_000)}`, 'row 3: the row has more than 20000 cells (separator ",")'],
    [`a\nb\n${'x'.repeat(2_000_000)}`, 'row 3: the row has more than 1048576 bytes, the limit (separator ",")'],
  ])('are streamed up to the invalid row %#', async (text, detail) => {
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const { cells } of readCsvRows(inPieces(text, 60_000), COMMA)) found.push(cells);
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'INVALID_IMPORT', errors: [{ path: '', code: 'BAD_CSV', detail }] });
    expect(found).toEqual([['a'], ['b']]);
  });

  it('need not be read to the end', async () => {
    for await (const { cells } of readCsvRows(inPieces('a\n'.repeat(100_000), 1_000), COMMA)) {
      expect(cells).toEqual(['a']);
      break;
    }
  });
});
