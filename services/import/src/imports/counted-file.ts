import type { ImportFile } from '@survey/formats/files/import-file';

/** Wraps a file to count the bytes of its latest reading. */
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
