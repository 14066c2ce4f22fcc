import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';

/** A command in MongoDB's profiler. */
export interface ProfiledCommand {
  readonly ns: string;
  readonly planSummary?: string;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  readonly nreturned?: number;
}

/** Records the commands on a collection while `work` runs. The database must belong to this test. */
export async function profiled(
  db: Db,
  collection: string,
  work: () => Promise<unknown>,
): Promise<readonly ProfiledCommand[]> {
  const comment = randomUUID();
  await db.command({ profile: 2 });
  try {
    // Marks the start of the work: the profile may contain earlier commands.
    await db.collection(collection).findOne({}, { comment });
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const all = await db
    .collection<ProfiledCommand & { command: { comment?: unknown } }>('system.profile')
    .find({ ns: `${db.databaseName}.${collection}` })
    .sort({ $natural: 1 })
    .toArray();
  return all.slice(all.findLastIndex(({ command }) => command.comment === comment) + 1);
}
