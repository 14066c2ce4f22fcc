import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../process/lock.js';

/**
 * Installs the packages of package-lock.json, unless they are installed already.
 * Writes to standard error only, because some commands print JSON on standard output.
 * @param {string} root the repository's folder
 * @param {(command: string, args: string[], cwd: string) => Promise<void>} [run]
 */
export async function install(root, run = runQuietly) {
  if (isInstalled(root)) return;
  const release = await lock(join(root, '.cache', 'install.lock'), {
    onWait: (pid) => console.error(`Waiting for process ${pid}, which is installing the packages…`),
  });
  try {
    if (isInstalled(root)) return;
    console.error('Installing the packages…');
    // Remove the stamp first, so that an aborted install is not mistaken for a complete one.
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

/** A hash of all files that determine the result of an install. */
function fingerprint(root) {
  const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces;
  const files = ['package-lock.json', 'package.json', ...workspaces.map((folder) => join(folder, 'package.json'))];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file))).update('\0');
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`;
}

/** The npm that runs this script, or the one on the PATH. */
function npmCommand(execPath) {
  return execPath?.endsWith('npm-cli.js') ? [process.execPath, execPath] : ['npm'];
}

/**
 * Runs a command, and shows its output only if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
async function runQuietly(command, args, cwd) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill('SIGTERM');
  process.on('SIGTERM', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error(`${command} cannot be run; is it installed?`)));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  process.off('SIGTERM', stop);
  if (code !== 0) throw new Error(`${output.trimEnd()}\n${command} ${args.join(' ')} failed (${code})`);
}
