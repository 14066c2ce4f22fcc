import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreground-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Records signals, and takes longer than a few checks of the parent to end. */
const PROGRAM = `
  const write = (line) => require('node:fs').appendFileSync(process.argv[1], line + '\\n');
  process.on('SIGTERM', () => {
    write('SIGTERM');
    setTimeout(() => { write('end'); process.exit(); }, 1_000);
  });
  setInterval(() => {}, 1_000);
  write('start');
`;

const RUNNER = `
  import(process.argv[1]).then(({ runInForeground }) =>
    runInForeground(process.execPath, ['-e', process.argv[2], process.argv[3]], { cwd: '.', env: process.env }));
`;

const NPM = `
  require('node:child_process').spawn(process.execPath, ['-e', ...process.argv.slice(1)], { stdio: 'inherit' });
  setInterval(() => {}, 1_000);
`;

it('stops the program once when npm is killed', async () => {
  const file = join(folder, 'written');
  const module = new URL('run-in-foreground.js', import.meta.url).href;
  const npm = spawn(process.execPath, ['-e', NPM, RUNNER, module, PROGRAM, file], {
    stdio: 'ignore',
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });
  const written = () => readFile(file, 'utf8').catch(() => '');
  await poll(async () => (await written()) === 'start\n');
  npm.kill('SIGKILL');
  await poll(async () => (await written()).endsWith('end\n'));
  expect(await written()).toBe('start\nSIGTERM\nend\n');
});
