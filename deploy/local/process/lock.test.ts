import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lock, tryLock } from './lock.js';
import { startTime } from './start-time.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rm(folder, { recursive: true }));

describe('tryLock', () => {
  it('is held by one owner, and reports its id to others', () => {
    expect(tryLock(path).held).toBe(true);
    expect(tryLock(path)).toEqual({ held: false, ownerPid: process.pid });
  });

  it('can be taken again after its release, and leaves no files', async () => {
    const first = tryLock(path);
    if (first.held) first.release();
    const second = tryLock(path);
    expect(second.held).toBe(true);
    if (second.held) second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('can be taken from a killed owner', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    expect(tryLock(path, child.pid).held).toBe(true);
    expect(tryLock(path).held).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(tryLock(path).held).toBe(true);
  });

  it('can be taken from an owner whose process id was reused', async () => {
    await mkdir(path);
    await writeFile(join(path, `${process.pid}.another-start.0`), '');
    expect(tryLock(path).held).toBe(true);
  });

  it('is not lost by a late release of an earlier owner', async () => {
    const first = tryLock(path);
    if (!first.held) throw new Error('unreachable');
    first.release();
    tryLock(path);
    first.release();
    expect(tryLock(path).held).toBe(false);
  });
});

describe('lock', () => {
  it('admits one owner at a time', async () => {
    let inside = 0;
    let most = 0;
    const enter = async () => {
      const release = await lock(path);
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside--;
      release();
    };
    await Promise.all([enter(), enter(), enter()]);
    expect(most).toBe(1);
  });

  it('reports the owner that it waits for, and can be aborted', async () => {
    tryLock(path);
    const controller = new AbortController();
    const waiting = lock(path, {
      signal: controller.signal,
      onWait: (pid) => controller.abort(new Error(`saw ${pid}`)),
    });
    await expect(waiting).rejects.toMatchObject({ cause: new Error(`saw ${process.pid}`) });
  });
});

describe('startTime', () => {
  it('is stable for a process, and undefined for one that is not running', () => {
    expect(startTime(process.pid)).toBe(startTime(process.pid));
    expect(startTime(2 ** 22 + 1)).toBeUndefined();
  });
});
