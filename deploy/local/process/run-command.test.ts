import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reaper, startReaper } from './reaper-client.ts';
import { runCommand } from './run-command.ts';
import { startTime } from './start-time.js';

let folder: string;
let reaper: Reaper;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-'));
  reaper = startReaper();
});

afterEach(async () => {
  await reaper.close();
  await rm(folder, { recursive: true });
});

const sh = (script: string, options: { signal?: AbortSignal; graceMs?: number } = {}) =>
  runCommand('sh', ['-c', script], { reaper, cwd: folder, ...options });

function untilWritten(name: string): Promise<string> {
  return poll(async () => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    return text.endsWith('\n') && text;
  });
}

describe('runCommand', () => {
  it('returns the output', async () => {
    expect(await sh('echo one; echo two >&2')).toContain('one\n');
  });

  it('reports how the command ended, with its last lines', async () => {
    await expect(sh('echo reason; exit 3')).rejects.toThrow('sh ended with exit code 3:\nreason');
    await expect(sh('echo reason; kill -KILL $$')).rejects.toThrow('sh ended with SIGKILL:\nreason');
    await expect(runCommand('no-such-command', [], { reaper })).rejects.toThrow('no-such-command is not installed');
  });

  it.each([
    ['with its children', 'sleep 60 & echo $! > pid; wait'],
    ['with children that have left its streams', 'sleep 60 > /dev/null 2>&1 & echo $! > pid; wait'],
    ['although it ignores SIGTERM', `trap '' TERM; sleep 60 & echo $! > pid; wait`],
    ['although only children ignore SIGTERM', `sh -c "trap '' TERM; sleep 60" > log 2>&1 & echo $! > pid; wait`],
  ])('ends an aborted command %s', async (_case, script) => {
    const controller = new AbortController();
    const ended = expect(sh(script, { signal: controller.signal, graceMs: 100 })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const childPid = Number(await untilWritten('pid'));
    expect(startTime(childPid)).toBeDefined();
    controller.abort();
    await ended;
    await expect.poll(() => startTime(childPid)).toBeUndefined();
  });

  it('starts nothing if it is aborted already', async () => {
    await expect(sh('echo x > started', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(readFile(join(folder, 'started'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
