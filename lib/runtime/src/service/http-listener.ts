import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type PeerTls, serverOptions, useLatestCertificates } from '../rpc/peer-tls.ts';

export interface HttpListener {
  listen(port: number, host: string): Promise<number>;
  /** From now on, every reply closes its connection, so that callers connect to other replicas in time. */
  drain(): void;
  /**
   * Accepts no new connections. Resolves when running requests are done, or aborted after `graceMs` (default: 15 s).
   */
  close(graceMs?: number): Promise<void>;
  readonly server: Server;
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  // Allows large uploads at half a megabit per second. The gateway and upload handlers set shorter limits.
  requestTimeout: 30 * 60_000,
  // The default of 30 s would let headers take up to three times their timeout.
  connectionsCheckingInterval: 5_000,
  // Longer than the idle time of the gateway's agent, so the agent never reuses a closing connection.
  keepAliveTimeout: 65_000,
  // Node's own reply to a request without `Host` has neither body nor request id: `checkHost` replies instead.
  requireHostHeader: false,
};

/** Maximum age of a connection, ±20 %, so that callers spread over new replicas. Milliseconds. */
const MAX_AGE_MS = 60_000;

/** Timeout of a connection without traffic. Longer than any timeout of calls to services. Milliseconds. */
const IDLE_TIMEOUT_MS = 120_000;

/** Length of the accept queue. If it is full, connections are dropped, and their clients retry only after seconds. */
const BACKLOG = 4_096;

/** Time for the rest of a request body after the reply: an immediate close could reset the connection. Milliseconds. */
const LINGER_MS = 5_000;

/** A minimum speed at which clients must read replies. */
export interface ReadingSpeed {
  readonly bytesPerMs: number;
  /** Time that a client may be behind this speed. */
  readonly graceMs: number;
}

interface Options {
  readonly maxAgeMs?: number;
  readonly idleTimeoutMs?: number;
  /** Closes the connections of clients that read replies more slowly. Default: none, because services are trusted. */
  readonly minReadingSpeed?: ReadingSpeed;
}

/** Interval at which the reading of all replies is checked. */
const READING_CHECK_MS = 1_000;

/**
 * Bytes that the operating system may hold for a client. The system accepts more only after the client has read a large
 * part of them, so even a fast client can seem to read nothing for a while.
 */
const SYSTEM_BYTES = 2 * 1024 * 1024;

/** Creates an HTTP server (HTTPS with certificates) with the limits of all our listeners. */
export function createHttpListener(
  handler: RequestListener,
  tls?: PeerTls,
  { maxAgeMs = MAX_AGE_MS, idleTimeoutMs = IDLE_TIMEOUT_MS, minReadingSpeed }: Options = {},
): HttpListener {
  /** The time at which each connection is too old. Its first reply after this time closes the connection. */
  const oldAfter = new WeakMap<Socket, number>();
  let draining = false;

  /** Whether a connection has reached its maximum age, which counts from the first call of this function. */
  function hasReachedMaxAge(socket: Socket): boolean {
    const now = performance.now();
    const end = oldAfter.get(socket);
    if (end === undefined) oldAfter.set(socket, now + maxAgeMs * (0.8 + Math.random() * 0.4));
    return end !== undefined && now > end;
  }

  const readers = minReadingSpeed === undefined ? undefined : watchReaders(minReadingSpeed);
  const listener: RequestListener = (request, response) => {
    if (draining || hasReachedMaxAge(request.socket)) response.setHeader('connection', 'close');
    // Call this before the handler writes, so that all bytes are counted.
    readers?.add(response, request.socket);
    handler(request, response);
  };
  const server: Server | SecureServer =
    tls === undefined
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, ...serverOptions(tls) }, listener);
  server.timeout = idleTimeoutMs;
  const stopUsingCertificates = tls === undefined ? () => {} : useLatestCertificates(server as SecureServer, tls);
  // The server may ignore unknown expectations: RFC 9110, section 10.1.1.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  let closing = false;
  let running = 0;
  // When no request is running, the remaining connections are idle, and would delay the end by a minute or more.
  const closeUnused = () => {
    if (closing && running === 0) server.closeAllConnections();
  };
  server.on('request', (request, response) => {
    running += 1;
    response.once('close', () => {
      readers?.delete(response);
      running -= 1;
      closeUnused();
      if (!request.complete) setTimeout(() => request.complete || request.destroy(), LINGER_MS).unref();
    });
  });
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: BACKLOG }, () => resolve((server.address() as AddressInfo).port));
      }),
    drain() {
      draining = true;
    },
    close: (graceMs = 15_000) =>
      new Promise((resolve) => {
        closing = true;
        const killTimer = setTimeout(() => server.closeAllConnections(), graceMs);
        const end = () => {
          clearTimeout(killTimer);
          stopUsingCertificates();
          readers?.end();
          resolve();
        };
        if (server.listening) server.close(end);
        else end();
        closeUnused();
      }),
  };
}

/**
 * Closes the connection of a client that reads its reply more slowly than the minimum speed. `behindMs` is the time
 * that the client is behind this speed; negative if it is ahead.
 *
 * - Each second in which bytes wait for the client adds a second. If no bytes wait, the service is slow, not the
 *   client.
 * - Written bytes subtract the time that they take at the minimum speed.
 * - A client can be ahead only by the time for the bytes that can wait now, in Node and in the operating system.
 *   Without this limit, the client could read megabytes fast and then stop for hours.
 */
function watchReaders({ graceMs, bytesPerMs }: ReadingSpeed) {
  const replies = new Map<ServerResponse, { lastBytes: number; behindMs: number }>();
  const timer = setInterval(() => {
    for (const [response, reading] of replies) {
      const { socket } = response;
      if (socket === null) continue;
      // Includes bytes that still wait, because Node does not report how much of a chunk has been sent.
      const written = socket.bytesWritten - reading.lastBytes;
      reading.lastBytes = socket.bytesWritten;
      const waitedMs = socket.writableLength === 0 ? 0 : READING_CHECK_MS;
      const maxAheadMs = (socket.writableLength + SYSTEM_BYTES) / bytesPerMs;
      reading.behindMs = Math.max(-maxAheadMs, reading.behindMs + waitedMs - written / bytesPerMs);
      if (reading.behindMs > graceMs) response.destroy();
    }
  }, READING_CHECK_MS).unref();
  return {
    add: (response: ServerResponse, { bytesWritten }: Socket) =>
      void replies.set(response, { lastBytes: bytesWritten, behindMs: 0 }),
    delete: (response: ServerResponse) => void replies.delete(response),
    end: () => clearInterval(timer),
  };
}
