import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../process/lock.js';
import { runQuietly } from './run-quietly.js';

/**
 * Makes node_modules what package-lock.json says, when it is not already.
 * Writes to standard error only, because some commands print JSON on standard output.
 * @param {string} root the repository's folder
 * @param {(command: string, args: string[], cwd: string) => Promise<void>} [run]
 */
export async function install(root, run = runQuietly) {
  if (isInstalled(root)) return;
  const release = await lock(join(root, '.cache', 'install.lock'), {
    onWait: (pid) => console.error(`Waiting for process ${pid}, which installs the packages…`),
  });
  try {
    if (isInstalled(root)) return;
    console.error('Installing the packages…');
    // First, so that an install that is broken off is not taken for a whole one.
    rmSync(stampFile(root), { force: true });
    const [npm, ...args] = npmCommand(process.env.npm_execpath);
    await run(npm, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], root);
    writeFileSync(stampFile(root), fingerprint(root));
  } finally {
    release();
  }
}

function isInstalled(root) {
  return existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === fingerprint(root);
}

function stampFile(root) {
  return join(root, 'node_modules', '.installed-from');
}

/** A hash of everything that decides what an install makes. */
function fingerprint(root) {
  const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces;
  const files = ['package-lock.json', 'package.json', ...workspaces.map((folder) => join(folder, 'package.json'))];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file))).update('\0');
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`;
}

/** The npm that runs us, else the one on the PATH. */
function npmCommand(execPath) {
  return execPath?.endsWith('npm-cli.js') ? [process.execPath, execPath] : ['npm'];
}
