import { homedir } from 'node:os';
import { join } from 'node:path';

/** The cache folder for downloads, as in the XDG Base Directory Specification. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'survey-platform');
}
