import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, exists } from '../process/files.ts';
import { lock } from '../process/lock.js';
import { UnavailableError } from './first-available.ts';

/** Returns the path of a cached folder. Throws `UnavailableError` if there is none. */
export async function findCached(name: string): Promise<string> {
  const path = join(cacheDir(), name);
  if (await exists(path)) return path;
  throw new UnavailableError(`none in ${cacheDir()}`);
}

interface DownloadOptions {
  readonly name: string;
  /** Downloads into the empty folder `into`. */
  readonly fetch: (into: string) => Promise<void>;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Downloads a folder into the cache, and returns its path. The folder is complete or absent, and concurrent processes
 * download it once.
 */
export async function download({ name, fetch, log, signal }: DownloadOptions): Promise<string> {
  const path = join(cacheDir(), name);
  const release = await lock(`${path}.lock`, {
    ...(signal ? { signal } : {}),
    onWait: (owner) => log(`waiting for process ${owner}, which is downloading ${name}`),
  });
  try {
    if (await exists(path)) return path;
    await removeLeftovers(`${name}.part`);
    log(`downloading ${name} (once)`);
    const unfinished = `${path}.part-${process.pid}`;
    await mkdir(unfinished);
    await fetch(unfinished);
    await rename(unfinished, path);
    return path;
  } finally {
    release();
  }
}

async function removeLeftovers(prefix: string): Promise<void> {
  for (const entry of await readdir(cacheDir())) {
    if (entry.startsWith(prefix)) await rm(join(cacheDir(), entry), { recursive: true, force: true });
  }
}
