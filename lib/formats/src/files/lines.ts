import type { ImportFile } from './import-file.ts';
import { readTextPieces } from './text.ts';

interface Line {
  /** Line number as in editors: from 1, including empty lines. */
  readonly number: number;
  /** The trimmed text; undefined if the line is too long. */
  readonly text: string | undefined;
}

/** Maximum characters of a line, more than a response can have. */
const MAX_LENGTH = 2 * 1024 * 1024;

/** Streams the non-empty lines of a text file. Throws `INVALID_IMPORT` if the file is not text. */
export async function* readLines(file: ImportFile): AsyncGenerator<Line> {
  let number = 1;
  let rest = '';
  let isTooLong = false;
  const finishLine = (text: string): readonly Line[] => {
    const trimmed = text.trim();
    const line = { number, text: isTooLong ? undefined : trimmed };
    const isEmpty = !isTooLong && trimmed === '';
    isTooLong = false;
    return isEmpty ? [] : [line];
  };
  for await (const piece of readTextPieces(file)) {
    const lines = piece.split('\n');
    for (const [position, text] of lines.entries()) {
      if (position > 0) {
        yield* finishLine(rest);
        rest = '';
        number += 1;
      }
      if (rest.length + text.length > MAX_LENGTH) isTooLong = true;
      rest = isTooLong ? '' : rest + text;
    }
  }
  yield* finishLine(rest);
}
