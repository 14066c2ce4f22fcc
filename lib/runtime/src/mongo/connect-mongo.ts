import { type Db, MongoClient } from 'mongodb';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { observeCommands, observePool } from './mongo-metrics.ts';

/** The database of one service. */
export interface Mongo {
  readonly db: Db;
  readonly client: MongoClient;
  /** Resolves when a primary answers; throws after some seconds when none does. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to a service's database. Writes are acknowledged by a majority of the replica set, from the journal; reads
 * see what a majority has. Throws when no server can be reached within the selection timeout.
 *
 * @param uri connection string; credentials and TLS are its business. It never appears in logs or errors.
 * @param selectionTimeoutMs how long an operation waits for a primary, and for a free connection, before it fails
 */
export async function connectMongo({
  uri,
  database,
  selectionTimeoutMs = 5_000,
  log,
  registry,
}: {
  readonly uri: string;
  readonly database: string;
  readonly selectionTimeoutMs?: number;
  readonly log: Logger;
  readonly registry: Registry;
}): Promise<Mongo> {
  const client = new MongoClient(uri, {
    appName: database,
    // Without a time limit a write would wait for ever while a majority is missing.
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryWrites: true,
    retryReads: true,
    maxPoolSize: 50,
    minPoolSize: 5,
    maxConnecting: 2,
    waitQueueTimeoutMS: selectionTimeoutMs,
    connectTimeoutMS: 5_000,
    serverSelectionTimeoutMS: selectionTimeoutMs,
    monitorCommands: true,
    // Never timeoutMS: a connection that ran into it could give one caller's data to another (CVE-2026-119179).
  });
  observePool(client, registry);
  observeCommands(client, registry);
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
    log.warn({ server: connectionId, err: failure }, 'MongoDB server does not answer');
  });
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  const db = client.db(database);
  return {
    db,
    client,
    async ping() {
      await db.command({ ping: 1, maxTimeMS: 2_000 });
    },
    close: () => client.close(),
  };
}
