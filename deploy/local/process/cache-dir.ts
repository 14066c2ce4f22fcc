import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloads are kept, by the XDG Base Directory Specification. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'survey-platform');
}
