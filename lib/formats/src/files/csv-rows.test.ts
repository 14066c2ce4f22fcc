import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvRows } from './csv-rows.ts';
import type { ImportFile } from './import-file.ts';

function inPieces(text: string, size: number): ImportFile {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}
/** Every cell quoted. */
const toText = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()).join('\r\n');
const read = (text: string, size = 3, delimiter?: string) =>
  Array.fromAsync(readCsvRows(inPieces(text, size), delimiter === undefined ? {} : { delimiter }));

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
    expect(await read('\uFEFFa,b\r\n\r\n,\n"c\r\nd",e\n')).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 4, cells: ['c\r\nd', 'e'] },
    ]);
  });

  it('can have another delimiter', async () => {
    expect(await read('a;b,c', 2, ';')).toEqual([{ number: 1, cells: ['a', 'b,c'] }]);
  });

  it.each([
    ['a\nb\n"c', 'row 3: a quoted cell does not end'],
    ['a\nb\n"c"d', 'row 3: there is text after the closing quote of a cell'],
    [`a\nb\n${','.repeat(30_000)}`, 'row 3: the row has more than 20000 cells'],
    [`a\nb\n${'x'.repeat(2_000_000)}`, 'row 3: the row has more than 1048576 bytes, the limit'],
  ])('are streamed up to the invalid row %#', async (text, detail) => {
    const found: unknown[] = [];
    const reading = (async () => {
      for await (const { cells } of readCsvRows(inPieces(text, 60_000))) found.push(cells);
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'INVALID_IMPORT', errors: [{ path: '', code: 'BAD_CSV', detail }] });
    expect(found).toEqual([['a'], ['b']]);
  });

  it('need not be read to the end', async () => {
    for await (const { cells } of readCsvRows(inPieces('a\n'.repeat(100_000), 1_000))) {
      expect(cells).toEqual(['a']);
      break;
    }
  });
});
