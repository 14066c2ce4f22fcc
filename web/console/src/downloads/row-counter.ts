export type RowFormat = 'csv' | 'ndjson' | 'json';

/** Counts the rows of an export while its bytes arrive. */
export interface RowCounter {
  add(chunk: Uint8Array): void;
  /** Number of complete rows so far, without the header. */
  rows(): number;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Lines of the file that are no rows: the header of CSV, the brackets of a JSON array. */
const OTHER_LINES: Readonly<Record<RowFormat, number>> = { csv: 1, ndjson: 0, json: 2 };

export function createRowCounter(format: RowFormat): RowCounter {
  let lines = 0;
  let isQuoted = false;
  return {
    add(chunk) {
      for (const byte of chunk) {
        // Cells of CSV can have line feeds between quotes. A quote in a text is written as two quotes, which cancel
        // each other out here.
        if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
      }
    },
    rows: () => Math.max(0, lines - OTHER_LINES[format]),
  };
}
