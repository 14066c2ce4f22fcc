import { chmod, rename, writeFile } from 'node:fs/promises';

/**
 * Replaces a file in one step: other processes read either the old or the complete new content.
 *
 * @param mode permissions of the file
 */
export async function replaceFile(file: string, content: string, mode?: number): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  await writeFile(unfinished, content, mode === undefined ? {} : { mode });
  // `writeFile` applies the mode only to a new file.
  if (mode !== undefined) await chmod(unfinished, mode);
  await rename(unfinished, file);
}
