import type { ImportFile } from './import-file.ts';
import { readTextPieces } from './read-text.ts';

/** A line of a text that is not empty. */
interface Line {
  /** As editors count: the first one is 1, and empty ones count. */
  readonly number: number;
  /** Without spaces around it; undefined when it is longer than a line may be. */
  readonly text: string | undefined;
}

/** More than a response may have. */
const MAX_LENGTH = 2 * 1024 * 1024;

/** The lines of a text that are not empty, however many there are. Throws `INVALID_IMPORT` when it is no text. */
export async function* readLines(file: ImportFile): AsyncGenerator<Line> {
  let number = 1;
  let rest = '';
  let isTooLong = false;
  const take = (text: string): readonly Line[] => {
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
        yield* take(rest);
        rest = '';
        number += 1;
      }
      if (rest.length + text.length > MAX_LENGTH) isTooLong = true;
      rest = isTooLong ? '' : rest + text;
    }
  }
  yield* take(rest);
}
