import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { toPaths } from '@survey/local/stack/folder';
import { inject } from 'vitest';
import { withDatabase } from './mongodb.ts';
import type {} from './stack.ts';

/** A file that exists while the server runs. */
const LOCK_FILE = 'mongod.lock';

/**
 * Copies the files of the stack's MongoDB into the folder of another stack, as a volume snapshot does. Writes are
 * blocked meanwhile.
 */
export async function backUpDatabases(into: string): Promise<void> {
  const filesOf = (folder: string) => join(toPaths(folder).data, 'mongodb', 'db');
  const from = filesOf(inject('stackFolder'));
  await withDatabase('admin', async (admin) => {
    await admin.command({ fsync: 1, lock: true });
    try {
      await cp(from, filesOf(into), { recursive: true, filter: (path) => basename(path) !== LOCK_FILE });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
  });
}

/** Copies the keys, which are not part of backups. */
export async function copyKeys(into: string): Promise<void> {
  await cp(toPaths(inject('stackFolder')).keys, toPaths(into).keys, { recursive: true });
}
