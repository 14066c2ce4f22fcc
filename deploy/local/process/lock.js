// Plain JavaScript, because bootstrap.js uses it before packages are installed and under older Nodes.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTime } from './start-time.js';

/*
 * A lock is a folder with one file, named after its owner process. To take the lock, a prepared folder is renamed to
 * it: rename(2) replaces an empty folder, but not a full one, so exactly one process wins. To break the lock of a dead
 * process, its owner file is removed. File names are never reused, so this cannot remove a newer lock.
 */

/**
 * @param {string} path
 * @param {number} [pid] the owner of the lock, which is released when this process ends
 * @returns {{ held: true, release: () => void } | { held: false, ownerPid: number }}
 */
export function tryLock(path, pid = process.pid) {
  const owner = `${pid}.${startTime(pid) ?? 'gone'}.${randomUUID()}`;
  const prepared = `${path}.${owner}`;
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(prepared);
  writeFileSync(join(prepared, owner), '');
  try {
    for (;;) {
      const ownerPid = breakStale(path);
      if (ownerPid !== undefined) return { held: false, ownerPid };
      if (tryRename(prepared, path)) return { held: true, release: () => release(path, owner) };
    }
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

/**
 * Waits for the lock.
 * @param {string} path
 * @param {{ pid?: number, signal?: AbortSignal, onWait?: (ownerPid: number) => void }} [options]
 * @returns {Promise<() => void>} releases the lock
 */
export async function lock(path, { pid, signal, onWait } = {}) {
  for (let waiting = false; ; waiting = true) {
    const attempt = tryLock(path, pid);
    if (attempt.held) return attempt.release;
    if (!waiting) onWait?.(attempt.ownerPid);
    await delay(100, undefined, { signal });
  }
}

/** Removes the owner file of a dead process. Returns the process id of an owner that is running. */
function breakStale(path) {
  for (const owner of listOwners(path)) {
    const [pid, started] = owner.split('.');
    if (startTime(Number(pid)) === started) return Number(pid);
    ignoring(['ENOENT'], () => unlinkSync(join(path, owner)));
  }
  return undefined;
}

function listOwners(path) {
  return ignoring(['ENOENT'], () => readdirSync(path)) ?? [];
}

function tryRename(from, to) {
  const renamed = ignoring(['ENOTEMPTY', 'EEXIST'], () => {
    renameSync(from, to);
    return true;
  });
  return renamed ?? false;
}

function release(path, owner) {
  ignoring(['ENOENT'], () => unlinkSync(join(path, owner)));
  ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(path));
}

function ignoring(codes, action) {
  try {
    return action();
  } catch (error) {
    if (!codes.includes(error.code)) throw error;
    return undefined;
  }
}
