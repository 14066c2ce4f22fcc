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

/** An HTTP/2 server that is not listening yet. */
export interface Http2Listener {
  /** Listens, and resolves to the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new calls, and resolves when the running ones are done; those that are not after `graceMs` (15 s) are cut off. */
  close(graceMs?: number): Promise<void>;
}

/** How an HTTP/2 server serves. */
export interface Http2Options {
  /** Without, HTTP/2 is spoken in the clear (h2c with prior knowledge). */
  readonly tls?: PeerTls | undefined;
  /** Connections end after this long, give or take a fifth, so that clients look for new servers. Milliseconds. */
  readonly maxAgeMs?: number;
  /** How long the calls of a connection that ends may go on. Milliseconds. */
  readonly ageGraceMs?: number;
}

/** Node closes sessions by itself that reset too many streams (CVE-2023-44487) or send what is no HTTP/2. */
const limits = {
  /** More wait at the client. */
  settings: { maxConcurrentStreams: 256 },
  /** In megabytes. Above it streams are refused, and one message may have 20. */
  maxSessionMemory: 512,
};

/** node:http2 with the limits that every listener of ours has. */
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
    const end = setTimeout(() => endGently(session, ageGraceMs), maxAgeMs * (0.8 + Math.random() * 0.4));
    session.once('close', () => {
      clearTimeout(end);
      sessions.delete(session);
    });
    // A broken connection is the client's to notice and to retry.
    session.on('error', () => session.destroy());
    if (closing) session.close();
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close: (graceMs = 15_000) =>
      new Promise((resolve) => {
        closing = true;
        const cut = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(cut);
          unfollow();
          resolve();
        });
        for (const session of sessions) endGently(session, graceMs);
      }),
  };
}

/**
 * Ends a session when its calls are done. Streams that the client opens before it learns of it are refused, which makes
 * it send them again, to another session. A GOAWAY with the largest stream id before (RFC 9113, section 6.8) would do
 * harm: nghttp2, as Node uses it, leaves streams that come after any GOAWAY without an answer.
 */
function endGently(session: ServerHttp2Session, graceMs: number): void {
  if (session.closed || session.destroyed) return;
  const cut = setTimeout(() => session.destroy(), graceMs);
  session.once('close', () => clearTimeout(cut));
  session.close();
}

function listen(server: Http2Server | Http2SecureServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // A listening TCP server has an AddressInfo.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
