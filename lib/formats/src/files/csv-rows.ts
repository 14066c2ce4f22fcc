import { CsvError, parse } from 'csv-parse';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { readTextPieces } from './read-text.ts';

/** A row with at least one cell that is not blank. */
export interface Row {
  /** Row number as in spreadsheets: from 1, including empty rows. */
  readonly number: number;
  readonly cells: readonly string[];
}

interface Options {
  readonly delimiter?: string;
}

/** Characters per write to the parser. */
const SLICE = 64 * 1024;
const MAX_ROW_BYTES = 1024 * 1024;
/** No survey has as many columns. */
const MAX_CELLS = 20_000;

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'a cell has a quote but does not begin with one',
  CSV_MAX_RECORD_SIZE: `the row has more than ${MAX_ROW_BYTES} bytes, the limit`,
};

/**
 * Streams the non-empty rows of a CSV file (RFC 4180; also with LF and a byte order mark). Throws `INVALID_IMPORT` at
 * the first error, after the rows before it.
 */
export async function* readCsvRows(file: ImportFile, { delimiter = ',' }: Options = {}): AsyncGenerator<Row> {
  let number = 0;
  const reject = (row: number, meaning: string) =>
    invalidImport([{ path: '', code: 'BAD_CSV', detail: `row ${row}: ${meaning}` }]);
  try {
    for await (const record of recordsOf(file, delimiter)) {
      number += 1;
      if (record.length > MAX_CELLS) throw reject(number, `the row has more than ${MAX_CELLS} cells`);
      if (record.some((cell) => cell.trim() !== '')) yield { number, cells: record };
    }
  } catch (error) {
    const meaning = error instanceof CsvError ? meanings[error.code] : undefined;
    throw meaning === undefined ? error : reject(number + 1, meaning);
  }
}

async function* recordsOf(file: ImportFile, delimiter: string): AsyncGenerator<string[]> {
  let records: string[][] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    // Source readers report missing and extra cells.
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // The stream would drop parsed rows if a later row is invalid.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  // The callback of `write` reports errors.
  parser.on('error', () => {});
  const take = async (write: (done: (error?: Error | null) => void) => void) => {
    const error = await new Promise<Error | null | undefined>((resolve) => write(resolve));
    const taken = records;
    records = [];
    return { taken, error };
  };
  for await (const piece of readTextPieces(file)) {
    for (let at = 0; at < piece.length; at += SLICE) {
      const { taken, error } = await take((done) => parser.write(piece.slice(at, at + SLICE), done));
      yield* taken;
      if (error) throw error;
    }
  }
  const { taken, error } = await take((done) => parser.end(done));
  yield* taken;
  if (error) throw error;
}
