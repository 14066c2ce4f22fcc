// Runs `npm start` and `npm test` on any Node from version 20, also where nothing is installed yet: installs the packages,
// and runs a program with Node 24, or a script of wireit in package.json. Plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from './process/lock.js';

const MIN_MAJOR = 20;
/** From this version on, Node runs TypeScript without flags and warnings. */
const MIN_FOR_TYPESCRIPT = { major: 24, minor: 12 };
const PARENT_POLL_MS = 250;
const WIREIT = 'node_modules/wireit/bin/wireit.js';
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Installs the packages of package-lock.json, unless they are installed already.
 * Writes to standard error only, because some programs print JSON on standard output.
 */
export async function install(folder, run = runQuietly) {
  if (isInstalled(folder)) return;
  const release = await lock(join(folder, '.cache', 'install.lock'), {
    onWait: (pid) => console.error(`Waiting for process ${pid}, which is installing the packages…`),
  });
  try {
    if (isInstalled(folder)) return;
    console.error('Installing the packages…');
    // The npm that runs this script, or the one on the PATH.
    const npm = process.env.npm_execpath;
    const [command, ...args] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
    await run(command, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  } finally {
    release();
  }
}

/** Compares the lock file with the one that npm leaves at the end of an installation. */
function isInstalled(folder) {
  const installedFile = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, integrity, link, optional }]) => {
    const found = installed[path];
    // Packages for other platforms are optional, and the list of the installed ones lacks the root.
    if (found === undefined) return optional === true || path === '';
    return link === true || (found.version === version && found.integrity === integrity);
  });
}

/**
 * Chooses the Node for programs in TypeScript: the running one if it is new enough, otherwise the one that is installed
 * with the packages.
 */
export function chooseNode(folder, version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const { major: wanted, minor: leastMinor } = MIN_FOR_TYPESCRIPT;
  if (major > wanted || (major === wanted && minor >= leastMinor)) return process.execPath;
  const binary = join(folder, 'node_modules', '.bin', 'node');
  if (existsSync(binary)) return binary;
  throw new Error(
    `Node ${wanted}.${leastMinor} or later is needed; this is ${version}, and the packages bring none for ` +
      `${process.platform}-${process.arch}. Install Node ${wanted} and try again.`,
  );
}

/** Runs a command, and shows its output only if it fails. */
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

/**
 * Runs a program in the foreground and returns its exit code. Stops the program when this process is stopped, or when
 * its parent, npm, is killed. If this process dies, the program's IPC channel closes.
 */
export async function runInForeground(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  // In a terminal, Ctrl-C already signals the program too. Forward the signal only without a terminal.
  const interrupt = () => void (process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', stop).on('SIGHUP', stop).on('SIGINT', interrupt);
  const timer = watchParent(stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', () => reject(new Error(`${command} cannot be run on this machine; install Node 24`)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    clearInterval(timer);
    process.off('SIGTERM', stop).off('SIGHUP', stop).off('SIGINT', interrupt);
  }
}

/** Watches npm, which normally waits for this process. A shell is not watched: its background jobs may outlive it. */
function watchParent(onEnd) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    // Once: a second signal can end the program in the middle of its cleanup.
    clearInterval(timer);
    onEnd();
  }, PARENT_POLL_MS);
  return timer;
}

async function main([program, ...args]) {
  if (Number(process.versions.node.split('.')[0]) < MIN_MAJOR)
    throw new Error(`Node ${MIN_MAJOR} or later is needed to start; this is ${process.version} (${process.execPath}).`);
  await install(root);
  const node = chooseNode(root);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  if (program.endsWith('.ts')) return runInForeground(node, [join(root, program), ...args], { cwd: root, env });
  // npm would not forward all signals. Wireit reads the name of the script where npm writes it.
  const script = { WIREIT_FAILURES: 'continue', ...env, npm_lifecycle_event: program };
  return runInForeground(node, [join(root, WIREIT), ...args], { cwd: root, env: script });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
