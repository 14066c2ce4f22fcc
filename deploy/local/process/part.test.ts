import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startPart } from './part.ts';
import { type Reaper, startReaper } from './reaper-client.ts';
import { untilReady } from './until-ready.ts';

let folder: string;
let logFile: string;
let reaper: Reaper;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'part-'));
  logFile = join(folder, 'part.log');
  reaper = startReaper();
});

afterEach(async () => {
  await reaper.close();
  await rm(folder, { recursive: true });
});

const run = (script: string, appendLog = false) =>
  startPart({ command: process.execPath, args: ['-e', script], logFile, appendLog, reaper });
const untilLogged = (text: string) =>
  vi.waitFor(async () => expect(await readFile(logFile, 'utf8')).toContain(text), 5_000);

describe('startPart', () => {
  it('tells how the process ended', async () => {
    expect(await run('process.exit(3)').exited).toBe('exit code 3');
  });

  it('truncates the log at a first start and appends at the next', async () => {
    await run('console.log("old")').exited;
    await run('console.log("first")').exited;
    await run('console.log("second")', true).exited;
    expect(await readFile(logFile, 'utf8')).toBe('first\nsecond\n');
  });

  it('kills a process that does not stop within its grace', async () => {
    const part = run(`process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`);
    await untilLogged('up');
    await part.stop(50);
    expect(await part.exited).toBe('SIGKILL');
  });

  it('is an error when the command does not exist', () => {
    const start = () => startPart({ command: join(folder, 'nothing'), args: [], logFile, reaper });
    expect(start).toThrow('nothing cannot be run');
  });
});

describe('untilReady', () => {
  const never = (signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gave up'))));

  it('tells how the part ended and the end of its log when it ends before', async () => {
    const waiting = untilReady(run('console.error("bad setting"); process.exit(1)'), logFile, never);
    await expect(waiting).rejects.toThrow(/exit code 1.*\nbad setting/);
  });

  it('stops the part when the caller gives up', async () => {
    const part = run('setInterval(() => {}, 1000)');
    await expect(untilReady(part, logFile, never, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await part.exited).toBe('SIGTERM');
  });
});
