import type { ImportFile } from '@survey/formats/files/import-file';

/** Thrown when reading was stopped. The file itself is fine. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/** Wraps a file: reading throws `ReadingStopped` as soon as `shouldContinue` returns false. */
export function stoppable(file: ImportFile, shouldContinue: () => Promise<boolean>): ImportFile {
  return {
    size: file.size,
    async *open() {
      for await (const piece of file.open()) {
        if (!(await shouldContinue())) throw new ReadingStopped();
        yield piece;
      }
    },
  };
}
