import { buildConnector, Pool } from 'undici';
import { CONNECT_MS, type ForwarderOptions, KEEP_MS, MAX_IN_FLIGHT } from './forwarder.ts';
import { isLoss } from './upstream-error.ts';

type Options = Omit<ForwarderOptions, 'acquireSlot'>;

/** Connections to one service. */
export interface MessagePool {
  readonly pool: Pool;
  /** Whether an error is the loss of a connection over which something had been answered before. */
  isLossAfterUse(error: unknown): boolean;
  /** Closes those that are kept. */
  close(): void;
}

/** New connections to an https address show the certificate, and trust the CA, that are the latest. */
export function createMessagePool({ url, tls, lookup, silenceMs }: Options): MessagePool {
  const toConnector = () => buildConnector({ timeout: CONNECT_MS, allowH2: false, lookup, ...tls?.current() });
  let connector = toConnector();
  const lossesAfterUse = new WeakSet<Error>();
  const unfollow = tls?.onChange(() => {
    connector = toConnector();
  });
  const pool = new Pool(new URL(url).origin, {
    connections: MAX_IN_FLIGHT,
    pipelining: 1,
    allowH2: false,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    keepAliveTimeout: KEEP_MS,
    keepAliveMaxTimeout: KEEP_MS,
    connect: (options, callback) =>
      connector(options, (...outcome) => {
        const [, socket] = outcome;
        socket?.once('error', (error) => {
          if (socket.bytesRead > 0 && isLoss(error)) lossesAfterUse.add(error);
        });
        callback(...outcome);
      }),
  });
  return {
    pool,
    isLossAfterUse: (error) => error instanceof Error && lossesAfterUse.has(error),
    close() {
      unfollow?.();
      void pool.destroy();
    },
  };
}
