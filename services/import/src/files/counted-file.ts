import type { ImportFile } from './import-file.ts';

/** The same file, and how many of its bytes are read, as it is read for the last time. */
export function countReading(file: ImportFile): { readonly file: ImportFile; readonly bytes: () => number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    file: {
      size: file.size,
      async *open() {
        bytes = 0;
        for await (const piece of file.open()) {
          bytes += piece.length;
          yield piece;
        }
      },
    },
  };
}
