import type { ImportFile } from './import-file.ts';

/** The reading of a file was stopped, for no fault of the file. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/** The same file, whose reading throws `ReadingStopped` from when it is not to go on. */
export function stoppable(file: ImportFile, goesOn: () => Promise<boolean>): ImportFile {
  return {
    size: file.size,
    async *open() {
      for await (const piece of file.open()) {
        if (!(await goesOn())) throw new ReadingStopped();
        yield piece;
      }
    },
  };
}
