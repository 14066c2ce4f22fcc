import type { ImportFile } from '../files/import-file.ts';
import { readSlices } from '../files/text.ts';
import { findDialect } from './csv.ts';

interface Location {
  /** Row as in spreadsheets, from 1. */
  readonly row: number;
  /** Column, from 1. */
  readonly column: number;
}

/** Finds the cell of the first byte that is not text in an encoding. */
export async function locateUndecodable(file: ImportFile, encoding: string): Promise<Location> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // Gets each slice only after `decoder` accepted it. When `decoder` fails, this one is in the state before the slice.
  const delayedDecoder = new TextDecoder(encoding, { fatal: true });
  let cursor: ReturnType<typeof createCursor> | undefined;
  const follow = (text: string) => {
    cursor ??= createCursor(text);
    cursor.follow(text);
  };
  for await (const slice of readSlices(file)) {
    if (attempt(() => decoder.decode(slice, { stream: true })) === undefined) {
      follow(decodeUpToInvalid(delayedDecoder, slice));
      break;
    }
    follow(delayedDecoder.decode(slice, { stream: true }));
  }
  return cursor?.location() ?? { row: 1, column: 1 };
}

function decodeUpToInvalid(decoder: InstanceType<typeof TextDecoder>, slice: Uint8Array): string {
  let text = '';
  for (const byte of slice) {
    const next = attempt(() => decoder.decode(Uint8Array.of(byte), { stream: true }));
    if (next === undefined) break;
    text += next;
  }
  return text;
}

/** The decoded text; undefined if it is invalid. */
function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Counts rows and cells of text, like a spreadsheet. The first text decides about separator and line ends. */
function createCursor(start: string) {
  const { separator, lineEnds, skip } = findDialect(start);
  const lineEnd = lineEnds.at(-1) ?? '\n';
  let [row, column] = [1, 1];
  let toSkip = skip;
  let isQuoted = false;
  return {
    follow(text: string) {
      for (const character of text) {
        if (toSkip > 0) {
          toSkip -= character.length;
          continue;
        }
        if (character === '"') isQuoted = !isQuoted;
        if (isQuoted) continue;
        if (character === separator) column += 1;
        if (character === lineEnd) {
          row += 1;
          column = 1;
        }
      }
    },
    location: (): Location => ({ row, column }),
  };
}
