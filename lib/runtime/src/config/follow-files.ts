import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { createSingleFlight } from '../flow/memoize.ts';
import type { Setting } from './settings.ts';

export type ReadLatest<T> = () => Promise<T>;

/**
 * Receives the state of followed files, for metrics. `followFiles` calls `onChecked`, its `load` calls `setExpiries`.
 */
export interface FileObserver {
  /** @param isUsable false if the files cannot be read or used; the last good value stays in use */
  onChecked(isUsable: boolean): void;
  /** Replaces the expiries of all keys or certificates, by their ids; undefined for one that never expires. */
  setExpiries(expiries: Readonly<Record<string, Date | undefined>>): void;
  /** Checks the files whenever metrics are read, so that an idle process notices unusable ones. */
  checkOnScrape(latest: ReadLatest<unknown>): void;
}

interface Options<T> {
  readonly files: readonly string[];
  /** Makes the value from the contents, in the order of `files`. Throws if they are unusable. */
  readonly load: (contents: readonly Buffer[]) => T | Promise<T>;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  /** Minimum time between two checks whether the files changed, in milliseconds. */
  readonly recheckMs?: number;
  readonly now?: () => number;
}

/**
 * Loads files, and reloads them when they change, so that keys and certificates rotate without a restart. Rejects if
 * the first load fails. After a later failure, the last good value stays.
 */
export async function followFiles<T>(options: Options<T>): Promise<ReadLatest<T>> {
  const { files, load, log, observer, recheckMs = 2_000, now = () => performance.now() } = options;
  let { version, value } = await read();
  let checkedAt = now();
  let failure = '';

  async function read(): Promise<{ version: string; value: T }> {
    // Read the version first, so that the next check notices a change during the read.
    const current = await versionOf(files);
    return { version: current, value: await load(await Promise.all(files.map((file) => readFile(file)))) };
  }

  const refresh = createSingleFlight(async () => {
    try {
      if ((await versionOf(files)) !== version) ({ version, value } = await read());
      failure = '';
      observer?.onChecked(true);
    } catch (error) {
      // Log a failure once, although every check repeats it.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== failure)
        log.error({ err: error, files }, 'cannot load the files, the last good contents stay in use');
      failure = message;
      observer?.onChecked(false);
    } finally {
      checkedAt = now();
    }
  });

  const latest = async () => {
    if (now() - checkedAt >= recheckMs) await refresh();
    return value;
  };
  observer?.checkOnScrape(latest);
  return latest;
}

async function versionOf(files: readonly string[]): Promise<string> {
  const versions = files.map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs}:${size}:${ino}`;
  });
  return (await Promise.all(versions)).join();
}

/** A secret that may change while the process runs, if it comes from a file. */
export interface FollowedSecret<T> {
  /** The value at startup. */
  readonly value: T;
  readonly file: string | undefined;
  readonly parse: (raw: string) => T;
}

/** Makes a setting reloadable: a secret that can be rotated without a restart. */
export function reloadable<T>(setting: Setting<T>): Setting<FollowedSecret<T>> {
  const { parse, ...rest } = setting;
  return { ...rest, parse: (raw, file) => ({ value: parse(raw), file, parse }) };
}

interface SecretOptions<T, R> {
  readonly secret: FollowedSecret<T>;
  /** Makes a usable value from the secret. If it throws for a changed secret, the last good value stays. */
  readonly toResult: (value: T) => R | Promise<R>;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  readonly recheckMs?: number;
}

/** Follows the file of a secret. Rejects if the first secret is unusable. */
export async function followSecret<T, R>({
  secret,
  toResult,
  ...options
}: SecretOptions<T, R>): Promise<ReadLatest<R>> {
  const { value, file, parse } = secret;
  if (file === undefined) {
    const fixed = await toResult(value);
    return () => Promise.resolve(fixed);
  }
  const load = (contents: readonly Buffer[]) => toResult(parse(contents.join('').trim()));
  return followFiles({ ...options, files: [file], load });
}
