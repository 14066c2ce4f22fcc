import type { ClientSession, MongoClient } from 'mongodb';
import { AppError } from '../errors/app-error.ts';

/** Time limit of retries after conflicts, in milliseconds. The driver alone would retry for two minutes. */
const TIMEOUT_MS = 5_000;

/**
 * Runs writes in a transaction. After a conflict with another transaction, `write` runs again. Throws `UNAVAILABLE`
 * after five seconds of conflicts.
 *
 * @param write passes the session to all of its reads and writes, and has no other side effects
 */
export async function inTransaction<T>(client: MongoClient, write: (session: ClientSession) => Promise<T>): Promise<T> {
  const begun = performance.now();
  let attempts = 0;
  return client.withSession((session) =>
    session.withTransaction(async () => {
      attempts += 1;
      if (attempts > 1 && performance.now() - begun > TIMEOUT_MS)
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      return write(session);
    }),
  );
}
