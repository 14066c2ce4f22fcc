import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient, MongoServerError } from 'mongodb';

const NAME = 'rs0';
const ALREADY_INITIALIZED = 23;

export function toReplicaSetUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=${NAME}`;
}

export const replicaSetArgs = ['--replSet', NAME] as const;

/**
 * Makes the server on this port the primary of its own replica set, and waits until it accepts writes. Its data may
 * contain a replica set of an earlier start, with another port. Throws if `signal` is aborted before.
 */
export async function ensureReplicaSet(port: number, signal: AbortSignal): Promise<void> {
  await withServer(port, signal, async (admin) => {
    await retry(signal, () => configure(admin, `127.0.0.1:${port}`));
    await retry(signal, async () => {
      const hello = await admin.command({ hello: 1 });
      if (hello.isWritablePrimary !== true) throw new Error('not primary yet');
    });
  });
}

/** Waits until the server on this port accepts connections. Throws if `signal` is aborted before. */
export async function untilMongoServes(port: number, signal: AbortSignal): Promise<void> {
  await withServer(port, signal, async (admin) => void (await admin.command({ ping: 1 })));
}

type AdminDatabase = ReturnType<MongoClient['db']>;

async function withServer(
  port: number,
  signal: AbortSignal,
  action: (admin: AdminDatabase) => Promise<void>,
): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
  });
  try {
    // Connect explicitly: if the first connection fails during a command, the client does not recover.
    await retry(signal, () => client.connect());
    await action(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function configure(admin: AdminDatabase, address: string): Promise<void> {
  const members = [{ _id: 0, host: address }];
  try {
    await admin.command({ replSetInitiate: { _id: NAME, members } });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== ALREADY_INITIALIZED) throw error;
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as { config: Document & { members: Document[] } };
    if (config.members[0]?.host === address) return;
    await admin.command({ replSetReconfig: { ...config, members }, force: true });
  }
}

/** Retries while the server is starting. */
async function retry(signal: AbortSignal, action: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      if (signal.aborted) throw new Error('MongoDB did not become ready', { cause: error });
    }
    // After an abort, the next iteration throws.
    await delay(50, undefined, { signal }).catch(() => {});
  }
}
