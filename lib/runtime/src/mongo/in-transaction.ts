import type { ClientSession, MongoClient } from 'mongodb';
import { AppError } from '../errors/app-error.ts';

/** How long others may be in the way, in milliseconds: the driver alone would try again for two minutes. */
const PATIENCE_MS = 5_000;

/**
 * Makes writes together, all of them or none. Where another transaction is in the way they are made again, and what
 * `write` reads is read again; after five seconds of that it throws `UNAVAILABLE`.
 *
 * @param write gives the session to all that it reads and writes, and changes nothing else
 */
export async function inTransaction<T>(client: MongoClient, write: (session: ClientSession) => Promise<T>): Promise<T> {
  const begun = performance.now();
  let attempts = 0;
  return client.withSession((session) =>
    session.withTransaction(async () => {
      attempts += 1;
      if (attempts > 1 && performance.now() - begun > PATIENCE_MS)
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      return write(session);
    }),
  );
}
