import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Client } from 'undici';

/** A connection to a receiver, for one message at a time. It never reconnects, so its address does not change. */
export interface Connection {
  readonly client: Client;
  /** IP address of the receiver. */
  readonly address: string;
  isOpen(): boolean;
  /** Total bytes read from the socket. The sender closes the connection of a receiver that sends too many. */
  bytesRead(): number;
  close(): void;
}

/** A pool of idle connections. */
export interface Connections {
  /** Removes and returns an open connection that `isUsable` accepts. Closes connections that it rejects. */
  acquire(key: string, isUsable: (address: string) => boolean): Connection | undefined;
  /** Adds a connection, unless it is closed. Above the total, closes connections of the least recently used key. */
  release(key: string, connection: Connection): void;
  size(): number;
  close(): void;
}

/** The connection was closed before a byte of the request was sent. */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone';
}

/** Shorter than the idle timeout of most servers, so that they rarely close a connection during a request. */
const IDLE_MS = 4_000;

/** Creates an HTTP client on a connected socket. */
export function createConnection(origin: string, socket: Socket): Connection {
  let isUsed = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const isGone = isUsed;
      isUsed = true;
      // undici does not continue if the callback is called synchronously.
      queueMicrotask(() => (isGone ? callback(new ConnectionGone(), null) : callback(null, socket)));
    },
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The signal of a message is its only deadline. These timeouts would not stop a slow trickle of bytes.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    client,
    address: socket.remoteAddress ?? '',
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    bytesRead: () => socket.bytesRead,
    close() {
      socket.destroy();
      // The promise needs no handler: running requests report the error.
      void client.destroy();
    },
  };
}

interface Limits {
  readonly perKey: number;
  readonly total: number;
}

interface Kept {
  readonly connection: Connection;
  readonly drop: () => void;
}

export function createConnections({ perKey, total }: Limits): Connections {
  /** Idle connections that the next request to the same receiver can use. */
  const kept = new LRUCache<string, readonly Kept[]>({
    maxSize: total,
    sizeCalculation: (entries) => entries.length,
    dispose(entries, _key, reason) {
      if (reason === 'evict') closeAll(entries);
    },
  });

  function closeAll(entries: readonly Kept[]): void {
    for (const entry of entries) detach(entry).close();
  }

  function remove(key: string, entry: Kept): Connection {
    const others = kept.peek(key)?.filter((other) => other !== entry) ?? [];
    if (others.length === 0) kept.delete(key);
    else kept.set(key, others);
    return detach(entry);
  }

  return {
    acquire(key, isUsable) {
      for (;;) {
        const entry = kept.get(key)?.at(-1);
        if (entry === undefined) return undefined;
        const connection = remove(key, entry);
        if (connection.isOpen() && isUsable(connection.address)) return connection;
        connection.close();
      }
    },

    release(key, connection) {
      if (!connection.isOpen()) return connection.close();
      const entries = kept.peek(key) ?? [];
      const [oldest] = entries;
      if (oldest !== undefined && entries.length >= perKey) remove(key, oldest).close();
      const entry: Kept = { connection, drop: () => remove(key, entry).close() };
      connection.client.once('disconnect', entry.drop);
      kept.set(key, [...(kept.peek(key) ?? []), entry]);
    },

    size: () => kept.calculatedSize,

    close() {
      for (const entries of kept.values()) closeAll(entries);
      kept.clear();
    },
  };
}

/** Stops watching a connection that leaves the pool. */
function detach({ connection, drop }: Kept): Connection {
  connection.client.off('disconnect', drop);
  return connection;
}
