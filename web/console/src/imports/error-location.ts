import type { ImportError } from '@survey/client';

/** The error of a rejected response, with its location in the file. */
export interface LocatedError {
  /** Row of a table or line of a file; without one, the position among the responses, from 1. */
  readonly position: string;
  /** Column or question; empty if the error is not in one. */
  readonly column: string;
  /** The explanation without the location. */
  readonly text: string;
}

/** The location at the beginning of a detail, such as `row 3, question q1: ` or `/data/q1 UNKNOWN_OPTION: `. */
const LOCATION = /^(?:(?:row|line) \d+(?:, (?:column|question) [^:]{1,256})?[:,] ?|\/data\/\S{1,256} [A-Z_]{3,}: )/u;

export function locateError({ index, row, column = '', detail }: ImportError, format: string): LocatedError {
  const unit = format === 'ndjson' ? 'line' : 'row';
  const position = row === undefined ? `response ${index + 1}` : `${unit} ${row}`;
  // Without row and column, the location in the detail is more precise than the position.
  return { position, column, text: row === undefined && column === '' ? detail : detail.replace(LOCATION, '') };
}
