import { spawn } from 'node:child_process';

/**
 * Runs a command and shows what it says only when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
export async function runQuietly(command, args, cwd) {
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
