import { type Db, MongoClient } from 'mongodb';
import type { Logger } from 'pino';
import { Gauge, Histogram, type Registry } from 'prom-client';

export interface Mongo {
  readonly db: Db;
  readonly client: MongoClient;
  /** Rejects if no primary replies within some seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to the database of a service, with majority writes (journaled) and majority reads. Throws if no server is
 * reachable within the selection timeout.
 *
 * @param uri connection string, with credentials and TLS options; it never appears in logs or errors
 * @param selectionTimeoutMs timeout for finding a primary, and for getting a free connection
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
    // Without a timeout, a write would wait forever while a majority is missing.
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
    // Never set timeoutMS: after such a timeout, a connection could return one caller's data to another
    // (CVE-2026-119179).
  });
  observePool(client, registry);
  observeCommands(client, registry);
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
    log.warn({ server: connectionId, err: failure }, 'MongoDB server does not reply');
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

export function observePool(client: MongoClient, registry: Registry): void {
  const size = new Gauge({
    name: 'database_connection_pool_size',
    help: 'Established connections to MongoDB: all (total), those in use (checked_out), and operations that wait for one (waiting).',
    labelNames: ['pool_type'],
    aggregator: 'sum',
    registers: [registry],
  });
  const total = size.labels('total');
  const checkedOut = size.labels('checked_out');
  const waiting = size.labels('waiting');
  // Counts only established connections: the driver may drop a new connection without an event.
  const established = new Set<string>();
  client.on('connectionReady', ({ address, connectionId }) => {
    established.add(`${address} ${connectionId}`);
    total.set(established.size);
  });
  client.on('connectionClosed', ({ address, connectionId }) => {
    established.delete(`${address} ${connectionId}`);
    total.set(established.size);
  });
  client.on('connectionCheckOutStarted', () => waiting.inc());
  client.on('connectionCheckOutFailed', () => waiting.dec());
  client.on('connectionCheckedOut', () => {
    waiting.dec();
    checkedOut.inc();
  });
  client.on('connectionCheckedIn', () => checkedOut.dec());
}

function observeCommands(client: MongoClient, registry: Registry): void {
  const duration = new Histogram({
    name: 'database_command_duration_seconds',
    help: 'Time from sending a command to MongoDB to its reply.',
    labelNames: ['command', 'outcome'],
    buckets: [0.002, 0.01, 0.05, 0.25, 1, 5],
    aggregator: 'sum',
    registers: [registry],
  });
  client.on('commandSucceeded', (event) =>
    duration.observe({ command: event.commandName, outcome: 'ok' }, event.duration / 1000),
  );
  client.on('commandFailed', (event) =>
    duration.observe({ command: event.commandName, outcome: 'failed' }, event.duration / 1000),
  );
}
