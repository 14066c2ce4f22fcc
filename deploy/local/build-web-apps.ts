import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repositoryRoot } from './stack/folder.ts';

/** Builds the console and the page for respondents, which the gateway serves, unless their sources are unchanged. */
export async function buildWebApps(log: (line: string) => void): Promise<void> {
  log('building the web apps');
  // Vite and React choose their variant by NODE_ENV, which tests set. Restoring a cached build would delete files that
  // processes of other stacks may be reading.
  const env = { ...process.env, NODE_ENV: 'production', WIREIT_CACHE: 'none' };
  await promisify(execFile)('npm', ['run', 'build:console'], { cwd: repositoryRoot, env });
}
