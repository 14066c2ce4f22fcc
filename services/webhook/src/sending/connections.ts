import type { Socket } from 'node:net';
import { Client } from 'undici';

/** A connection to a receiver, for one message at a time. It is never dialled again: what it was checked for stays so. */
export interface Connection {
  readonly client: Client;
  /** Address at the other end. */
  readonly address: string;
  isOpen(): boolean;
  /** How much was read of all that came over it. */
  bytesRead(): number;
  close(): void;
}

/** Connections that are kept for the next message. */
export interface Connections {
  /** One that is kept under the key and fits, for the caller alone; those that do not fit are closed. */
  take(key: string, fits: (address: string) => boolean): Connection | undefined;
  /** Keeps one, unless it is closed already. When there are too many, those that were not used for longest are closed. */
  keep(key: string, connection: Connection): void;
  /** How many are kept. */
  size(): number;
  close(): void;
}

/** Thrown into a request whose connection was gone before a byte of it was sent. */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone';
}

/** Shorter than usual servers keep theirs: a message that meets a connection as it closes has failed. Milliseconds. */
const IDLE_MS = 4_000;

/** Talks HTTP over a socket that is connected, and over no other. */
export function createConnection(origin: string, socket: Socket): Connection {
  let isUsed = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const isGone = isUsed;
      isUsed = true;
      // The client does not go on when it is answered before its call is over.
      queueMicrotask(() => (isGone ? callback(new ConnectionGone(), null) : callback(null, socket)));
    },
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The signal of a message is its one deadline; these would not stop what drips.
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
      // Its promise is of the requests that it ends, and those are told by themselves.
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
  readonly forget: () => void;
}

export function createConnections({ perKey, total }: Limits): Connections {
  /** The key that was used last is the last one. */
  const kept = new Map<string, Kept[]>();
  let size = 0;

  function release(key: string, entry: Kept): Connection {
    const beside = (kept.get(key) ?? []).filter((other) => other !== entry);
    if (beside.length === 0) kept.delete(key);
    else kept.set(key, beside);
    size -= 1;
    entry.connection.client.off('disconnect', entry.forget);
    return entry.connection;
  }

  /** Closes the one of a key that was not used for longest. */
  function evict(key: string | undefined): void {
    const oldest = key === undefined ? undefined : kept.get(key)?.[0];
    if (key !== undefined && oldest !== undefined) release(key, oldest).close();
  }

  return {
    take(key, fits) {
      for (;;) {
        const entry = kept.get(key)?.at(-1);
        if (entry === undefined) return undefined;
        const connection = release(key, entry);
        if (connection.isOpen() && fits(connection.address)) return connection;
        connection.close();
      }
    },

    keep(key, connection) {
      if (!connection.isOpen()) return connection.close();
      const entry: Kept = { connection, forget: () => release(key, entry).close() };
      connection.client.once('disconnect', entry.forget);
      const beside = kept.get(key) ?? [];
      kept.delete(key);
      kept.set(key, [...beside, entry]);
      size += 1;
      if (beside.length >= perKey) evict(key);
      if (size > total) evict(kept.keys().next().value);
    },

    size: () => size,

    close() {
      for (const [key, entries] of [...kept]) for (const entry of entries) release(key, entry).close();
    },
  };
}
