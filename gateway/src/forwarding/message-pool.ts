import type { PeerTls } from '@survey/runtime/rpc/peer-tls';
import { buildConnector, Pool } from 'undici';
import { CONNECT_MS, KEEP_MS, MAX_IN_FLIGHT } from './forwarder.ts';

/** Connections to one service. */
export interface MessagePool {
  readonly pool: Pool;
  /** Closes those that are kept. */
  close(): void;
}

/** New connections to an https address show the certificate, and trust the CA, that are the latest. */
export function createMessagePool(url: string, tls: PeerTls | undefined, silenceMs: number): MessagePool {
  const toConnector = () => buildConnector({ timeout: CONNECT_MS, allowH2: false, ...tls?.current() });
  let connector = toConnector();
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
    connect: (options, callback) => connector(options, callback),
  });
  return {
    pool,
    close() {
      unfollow?.();
      void pool.destroy();
    },
  };
}
