import type { JsonValue } from '@bufbuild/protobuf';
import { CsvError, parse } from 'csv-parse/sync';
import { invalidImport } from '../sources/source.ts';

/** A row that is not empty. */
export interface Row {
  /** As spreadsheets count: the first one is 1, and empty ones count. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Empty rows included, which spreadsheets leave by the hundred. */
const MAX_ROWS = 5_000;
const MAX_ROW_BYTES = 1024 * 1024;

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the closing quote of a cell',
  INVALID_OPENING_QUOTE: 'there is a quote inside of a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `it has more than ${MAX_ROW_BYTES} bytes, the limit of a row`,
};

/** The rows of a CSV text (RFC 4180; also with LF, and with a byte order mark). Throws `INVALID_IMPORT`. */
export function parseCsv(data: JsonValue, path: string): readonly Row[] {
  const refuse = (detail: string) => invalidImport([{ path, code: 'BAD_CSV', detail }]);
  if (typeof data !== 'string') throw refuse('CSV has to be a string with the text of the file');
  const records = parseRecords(data, refuse);
  if (records.length > MAX_ROWS) throw refuse(`There are more than ${MAX_ROWS} rows, the limit of one import`);
  return records
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function parseRecords(text: string, refuse: (detail: string) => Error): readonly (readonly string[])[] {
  let complete = 0;
  try {
    return parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      // Readers say which cell is missing or too many.
      relax_column_count: true,
      max_record_size: MAX_ROW_BYTES,
      to: MAX_ROWS + 1,
      on_record: (record: string[]) => {
        complete += 1;
        return record;
      },
    });
  } catch (error) {
    const meaning = error instanceof CsvError ? meanings[error.code] : undefined;
    if (meaning === undefined) throw error;
    throw refuse(`row ${complete + 1}: ${meaning}`);
  }
}
