import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether there is a file or folder with this path. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Writes JSON atomically, into a file that only this user can read. */
export async function writePrivateFile(path: string, content: unknown): Promise<void> {
  const unfinished = `${path}.new`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}

/** The cache folder for downloads, as in the XDG Base Directory Specification. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'survey-platform');
}
