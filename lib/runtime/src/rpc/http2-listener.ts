import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { type PeerTls, serverOptions, useLatestCertificates } from './peer-tls.ts';

export interface Http2Listener {
  listen(port: number, host: string): Promise<number>;
  /**
   * Accepts no new calls, and resolves when the running ones are done. After `graceMs` (default: 15 s) they are
   * aborted.
   */
  close(graceMs?: number): Promise<void>;
}

export interface Http2Options {
  /** Default: plain text (h2c with prior knowledge). */
  readonly tls?: PeerTls | undefined;
  /** Maximum age of connections, ±20 %, so that clients spread over new replicas. Milliseconds. */
  readonly maxAgeMs?: number;
  /** Time for running calls of a connection that ends. Milliseconds. */
  readonly ageGraceMs?: number;
}

/**
 * Limits of a session. Node itself closes sessions that reset too many streams (CVE-2023-44487) or send invalid HTTP/2.
 */
const limits = {
  /** Further streams wait at the client. */
  settings: { maxConcurrentStreams: 256 },
  /** Memory of a session in megabytes. Above this limit, streams are rejected. A single message may have 20. */
  maxSessionMemory: 512,
};

/** Creates an HTTP/2 server with the limits of all our listeners. */
export function createHttp2Listener(
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  { tls, maxAgeMs = 180_000, ageGraceMs = 30_000 }: Http2Options = {},
): Http2Listener {
  const server =
    tls === undefined
      ? createServer(limits, handler)
      : createSecureServer({ ...limits, ...serverOptions(tls) }, handler);
  const unfollow = tls === undefined ? () => {} : useLatestCertificates(server as Http2SecureServer, tls);
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let closing = false;

  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    const end = setTimeout(() => closeGracefully(session, ageGraceMs), maxAgeMs * (0.8 + Math.random() * 0.4));
    session.once('close', () => {
      clearTimeout(end);
      sessions.delete(session);
    });
    // The client notices a broken connection, and retries.
    session.on('error', () => session.destroy());
    if (closing) session.close();
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close: (graceMs = 15_000) =>
      new Promise((resolve) => {
        closing = true;
        const killTimer = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(killTimer);
          unfollow();
          resolve();
        });
        for (const session of sessions) closeGracefully(session, graceMs);
      }),
  };
}

/**
 * Ends a session when its calls are done. Streams that arrive meanwhile are rejected, and the client sends them again
 * in another session. Do not send a graceful GOAWAY first (RFC 9113, section 6.8): Node's nghttp2 never replies to
 * streams after any GOAWAY.
 */
function closeGracefully(session: ServerHttp2Session, graceMs: number): void {
  if (session.closed || session.destroyed) return;
  const killTimer = setTimeout(() => session.destroy(), graceMs);
  session.once('close', () => clearTimeout(killTimer));
  session.close();
}

function listen(server: Http2Server | Http2SecureServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
