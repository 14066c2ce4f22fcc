import { CsvError, parse } from 'csv-parse';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { readTextPieces } from './read-text.ts';

/** A row that is not empty. */
export interface Row {
  /** As spreadsheets count: the first one is 1, and empty ones count. */
  readonly number: number;
  readonly cells: readonly string[];
}

interface Options {
  readonly delimiter?: string;
}

/** What is read at once. */
const SLICE = 64 * 1024;
const MAX_ROW_BYTES = 1024 * 1024;
/** More columns than any survey has. */
const MAX_CELLS = 20_000;

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'there is a quote inside of a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `it has more than ${MAX_ROW_BYTES} bytes, the limit of a row`,
};

/**
 * The rows of a CSV file that are not empty (RFC 4180; also with LF, and with a byte order mark), however many there are.
 * Throws `INVALID_IMPORT` where it cannot be read on, after the rows before.
 */
export async function* readCsvRows(file: ImportFile, { delimiter = ',' }: Options = {}): AsyncGenerator<Row> {
  let number = 0;
  const refuse = (row: number, meaning: string) =>
    invalidImport([{ path: '', code: 'BAD_CSV', detail: `row ${row}: ${meaning}` }]);
  try {
    for await (const record of recordsOf(file, delimiter)) {
      number += 1;
      if (record.length > MAX_CELLS) throw refuse(number, `it has more than ${MAX_CELLS} cells`);
      if (record.some((cell) => cell.trim() !== '')) yield { number, cells: record };
    }
  } catch (error) {
    const meaning = error instanceof CsvError ? meanings[error.code] : undefined;
    throw meaning === undefined ? error : refuse(number + 1, meaning);
  }
}

async function* recordsOf(file: ImportFile, delimiter: string): AsyncGenerator<string[]> {
  let records: string[][] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    // Readers say which cell is missing or too many.
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    // Not by way of the stream, which forgets what it has when a later row cannot be read.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  // Whoever writes is told.
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
