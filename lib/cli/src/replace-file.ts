import { chmod, rename, writeFile } from 'node:fs/promises';

/**
 * Replaces a file: others see its old content or all of the new one.
 *
 * @param mode permissions of the file
 */
export async function replaceFile(file: string, content: string, mode?: number): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  await writeFile(unfinished, content, mode === undefined ? {} : { mode });
  // The mode above is only for new files.
  if (mode !== undefined) await chmod(unfinished, mode);
  await rename(unfinished, file);
}
