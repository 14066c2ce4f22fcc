import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repositoryRoot } from './stack/folder.ts';

/** Builds the console and the page for respondents, which the gateway serves. */
export async function buildWebApps(log: (line: string) => void): Promise<void> {
  log('building the web apps');
  // Vite and React choose their variant by NODE_ENV, which tests set.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)('npm', ['run', 'build:console'], { cwd: repositoryRoot, env });
}
