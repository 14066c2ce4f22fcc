import { CsvError, parse } from 'csv-parse';
import { invalidImport } from '../files/report.ts';
import { TEXT_SLICE } from '../files/text.ts';
import type { Dialect } from './dialect.ts';
import { MAX_CELLS, MAX_ROW_SIZE, type Row } from './row.ts';

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'a cell has a quote but does not begin with one',
  CSV_MAX_RECORD_SIZE: `the row has more than ${MAX_ROW_SIZE} bytes, the limit`,
};

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { '\t': 'tab', ' ': 'space' };

/** The separator as messages name it. */
export function nameOfSeparator(separator: string): string {
  return SEPARATOR_NAMES[separator] ?? `"${separator}"`;
}

/**
 * Streams the non-empty rows of a delimited text (RFC 4180). Throws `INVALID_IMPORT` at the first error, after the rows
 * before it.
 *
 * @param description the way in which the file is read, for messages
 */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  dialect: Dialect,
  description = `separator ${nameOfSeparator(dialect.separator)}`,
): AsyncGenerator<Row> {
  let number = 0;
  const reject = (row: number, meaning: string) => {
    const detail = `row ${row}: ${meaning} (${description})`;
    return invalidImport([{ path: '', code: 'BAD_CSV', detail }]);
  };
  try {
    for await (const record of recordsOf(text, dialect)) {
      number += 1;
      if (record.length > MAX_CELLS) throw reject(number, `the row has more than ${MAX_CELLS} cells`);
      if (record.some((cell) => cell.trim() !== '')) yield { number, cells: record };
    }
  } catch (error) {
    const meaning = error instanceof CsvError ? meanings[error.code] : undefined;
    throw meaning === undefined ? error : reject(number + 1, meaning);
  }
}

async function* recordsOf(text: AsyncIterable<string>, dialect: Dialect): AsyncGenerator<string[]> {
  let records: string[][] = [];
  const parser = parse({
    delimiter: dialect.separator,
    record_delimiter: [...dialect.lineEnds],
    // Readers report missing and extra cells.
    relax_column_count: true,
    // Cells between tabs often have plain quotes, because tools that write tabs do not quote.
    relax_quotes: dialect.separator === '\t',
    max_record_size: MAX_ROW_SIZE,
    // Collect the rows here, because the stream drops parsed rows if a later row is invalid.
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  // Errors are read from the callback of `write`. Without a listener, the event would be thrown too.
  parser.on('error', () => {});
  const take = async (write: (done: (error?: Error | null) => void) => void) => {
    const error = await new Promise<Error | null | undefined>((resolve) => write(resolve));
    const taken = records;
    records = [];
    return { taken, error };
  };
  for await (const piece of withoutStart(text, dialect.skip)) {
    for (let at = 0; at < piece.length; at += TEXT_SLICE) {
      const { taken, error } = await take((done) => parser.write(piece.slice(at, at + TEXT_SLICE), done));
      yield* taken;
      if (error) throw error;
    }
  }
  const { taken, error } = await take((done) => parser.end(done));
  yield* taken;
  if (error) throw error;
}

async function* withoutStart(text: AsyncIterable<string>, length: number): AsyncGenerator<string> {
  let left = length;
  for await (const piece of text) {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    if (skipped < piece.length) yield piece.slice(skipped);
  }
}
