import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';

/** Gives something as it is now. */
export type Latest<T> = () => Promise<T>;

interface Options<T> {
  /** Files that belong together. */
  readonly files: readonly string[];
  /** Makes something of their contents, which come in the same order. Throws when it cannot be used. */
  readonly load: (contents: readonly Buffer[]) => T | Promise<T>;
  readonly log: Logger;
  /** How long they are trusted without looking whether they changed, in milliseconds. */
  readonly recheckMs?: number;
  readonly now?: () => number;
}

/**
 * What mounted files hold, read again when they change: so keys and certificates are exchanged without a restart. Files
 * that cannot be read or used any more leave what they held last in force. Rejects when they cannot be used at first.
 */
export async function followFiles<T>(options: Options<T>): Promise<Latest<T>> {
  const { files, load, log, recheckMs = 2_000, now = () => performance.now() } = options;
  let { version, value } = await read();
  let checkedAt = now();
  let checking: Promise<void> | undefined;
  let failure = '';

  async function read(): Promise<{ version: string; value: T }> {
    // Before the contents: what changes while they are read is seen the next time.
    const current = await versionOf(files);
    return { version: current, value: await load(await Promise.all(files.map((file) => readFile(file)))) };
  }

  async function refresh(): Promise<void> {
    try {
      if ((await versionOf(files)) !== version) ({ version, value } = await read());
      failure = '';
    } catch (error) {
      // Once for each failure, though it is tried again and again.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== failure) log.error({ err: error, files }, 'files cannot be used, what they held stays in force');
      failure = message;
    } finally {
      checkedAt = now();
      checking = undefined;
    }
  }

  return async () => {
    if (now() - checkedAt >= recheckMs) {
      checking ??= refresh();
      await checking;
    }
    return value;
  };
}

async function versionOf(files: readonly string[]): Promise<string> {
  const versions = files.map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs}:${size}:${ino}`;
  });
  return (await Promise.all(versions)).join();
}
