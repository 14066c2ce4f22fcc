import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startReaper } from './reaper-client.ts';
import { startProcess } from './start-process.ts';
import { startTime } from './start-time.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reaper-'));
});

afterEach(() => rm(folder, { recursive: true }));

const parentScript = fileURLToPath(new URL('fixtures/parent.ts', import.meta.url));

async function startParent(): Promise<{ parent: ChildProcess; pids: number[] }> {
  const parent = spawn(process.execPath, [parentScript, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];
  return { parent, pids: JSON.parse(line.toString()) };
}

function untilWritten(file: string): Promise<string> {
  return poll(async () => {
    const text = await readFile(file, 'utf8');
    return text.endsWith('\n') && text;
  });
}

/** Do not use `kill`, which succeeds for zombies: a dead process whose parent has not waited for it. */
const isRunning = (pid: number) => startTime(pid) !== undefined;

describe('reaper', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends every process and removes the folder of a parent that dies by %s',
    async (signal) => {
      await mkdir(join(folder, 'to-remove'));
      await writeFile(join(folder, 'to-remove', 'file'), '');
      const { parent, pids } = await startParent();
      const childPid = Number(await untilWritten(join(folder, 'with-child.log')));
      pids.push(childPid);
      expect(pids.every(isRunning)).toBe(true);
      parent.kill(signal);
      await expect.poll(() => pids.filter(isRunning)).toEqual([]);
      expect(existsSync(join(folder, 'to-remove'))).toBe(false);
    },
  );

  it('kills processes that ignore SIGTERM', async () => {
    const reaper = startReaper();
    const stubborn = startProcess({
      command: process.execPath,
      args: ['-e', `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`],
      logFile: join(folder, 'stubborn.log'),
      reaper,
    });
    await untilWritten(join(folder, 'stubborn.log'));
    await reaper.close();
    expect(await stubborn.exited).toBe('SIGKILL');
  });
});
