import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reaper, startReaper } from './reaper-client.ts';
import { startProcess } from './start-process.ts';
import { untilReady } from './until-ready.ts';

let folder: string;
let logFile: string;
let reaper: Reaper;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'child-'));
  logFile = join(folder, 'child.log');
  reaper = startReaper();
});

afterEach(async () => {
  await reaper.close();
  await rm(folder, { recursive: true });
});

const run = (script: string, appendLog = false) =>
  startProcess({ command: process.execPath, args: ['-e', script], logFile, appendLog, reaper });
const untilLogged = (text: string) => expect.poll(() => readFile(logFile, 'utf8')).toContain(text);

describe('startProcess', () => {
  it('reports how the process ended', async () => {
    expect(await run('process.exit(3)').exited).toBe('exit code 3');
  });

  it('truncates the log, or appends for a restart', async () => {
    await run('console.log("old")').exited;
    await run('console.log("first")').exited;
    await run('console.log("second")', true).exited;
    expect(await readFile(logFile, 'utf8')).toBe('first\nsecond\n');
  });

  it('kills a process that does not stop in time', async () => {
    const child = run(`process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`);
    await untilLogged('up');
    await child.stop(50);
    expect(await child.exited).toBe('SIGKILL');
  });

  it('throws if the command does not exist', () => {
    const start = () => startProcess({ command: join(folder, 'nothing'), args: [], logFile, reaper });
    expect(start).toThrow('nothing cannot be run');
  });
});

describe('untilReady', () => {
  const never = (signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gave up'))));

  it('reports the exit code and the last log lines if the process ends early', async () => {
    const waiting = untilReady(run('console.error("bad setting"); process.exit(1)'), logFile, never);
    await expect(waiting).rejects.toThrow(/exit code 1.*\nbad setting/);
  });

  it('stops the process when the caller aborts', async () => {
    const child = run('setInterval(() => {}, 1000)');
    await expect(untilReady(child, logFile, never, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await child.exited).toBe('SIGTERM');
  });
});
