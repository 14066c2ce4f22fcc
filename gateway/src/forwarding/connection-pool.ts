import { buildConnector, Pool } from 'undici';
import { CONNECT_MS, type ForwarderOptions, KEEP_ALIVE_MS } from './forwarder.ts';
import { isConnectionLoss } from './upstream-error.ts';

type Options = Omit<ForwarderOptions, 'acquireSlot'>;

/** A pool of connections to one service. */
export interface ConnectionPool {
  readonly pool: Pool;
  /** Whether an error is the loss of a connection that had served a reply before. */
  isLossOfReusedConnection(error: unknown): boolean;
  /** Closes all connections. */
  close(): void;
}

/** Creates a pool. New TLS connections use the latest certificate and CA. */
export function createConnectionPool({ url, tls, lookup, idleTimeoutMs, connections }: Options): ConnectionPool {
  const toConnector = () => buildConnector({ timeout: CONNECT_MS, allowH2: false, lookup, ...tls?.current() });
  let connector = toConnector();
  const lossesOfReused = new WeakSet<Error>();
  const unsubscribe = tls?.onChange(() => {
    connector = toConnector();
  });
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) =>
      connector(options, (...outcome) => {
        const [, socket] = outcome;
        socket?.once('error', (error) => {
          if (socket.bytesRead > 0 && isConnectionLoss(error)) lossesOfReused.add(error);
        });
        callback(...outcome);
      }),
  });
  return {
    pool,
    isLossOfReusedConnection: (error) => error instanceof Error && lossesOfReused.has(error),
    close() {
      unsubscribe?.();
      void pool.destroy();
    },
  };
}
