import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type PeerTls, serverOptions, useLatestCertificates } from '../rpc/peer-tls.ts';

/** An HTTP/1.1 server that is not listening yet. */
export interface HttpListener {
  /** Listens, and resolves to the port. */
  listen(port: number, host: string): Promise<number>;
  /** From now on every answer ends its connection, so that callers go elsewhere before this one is gone. */
  drain(): void;
  /** Takes no new connections, and resolves when the running requests are done; after `graceMs` (15 s) they are cut off. */
  close(graceMs?: number): Promise<void>;
  readonly server: Server;
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  // Files are uploaded over lines of half a megabit a second too. Who has less to send is given less time by the gateway,
  // and by who takes the file.
  requestTimeout: 30 * 60_000,
  // With Node's half a minute a head might take three times as long as it may.
  connectionsCheckingInterval: 5_000,
  // Longer than the idle time of the gateway's agent, so that it never reuses a connection that is closing.
  keepAliveTimeout: 65_000,
  // What Node would answer has neither a body nor a request id: see `checkHost`.
  requireHostHeader: false,
};

/** How long a connection is used, give or take a fifth, so that callers look for new servers. Milliseconds. */
const MAX_AGE_MS = 60_000;

/**
 * How long nothing may flow over a connection, whatever it waits for: a caller that reads nothing of its answer would
 * keep it for ever. Longer than any wait for a service. Milliseconds.
 */
const SILENT_MS = 120_000;

/** Connections that wait to be taken. The system drops what is more, and who is dropped tries again seconds later. */
const BACKLOG = 4_096;

/** How long a body may go on after its answer. Milliseconds. */
const LINGER_MS = 5_000;

interface Times {
  readonly maxAgeMs?: number;
  readonly silentMs?: number;
}

/** node:http, or node:https where there are certificates, with the limits that every listener of ours has. */
export function createHttpListener(
  handler: RequestListener,
  tls?: PeerTls,
  { maxAgeMs = MAX_AGE_MS, silentMs = SILENT_MS }: Times = {},
): HttpListener {
  const usedUntil = new WeakMap<Socket, number>();
  let draining = false;

  function isOld(socket: Socket): boolean {
    const now = performance.now();
    const until = usedUntil.get(socket);
    if (until === undefined) usedUntil.set(socket, now + maxAgeMs * (0.8 + Math.random() * 0.4));
    return until !== undefined && now > until;
  }

  const listener: RequestListener = (request, response) => {
    if (draining || isOld(request.socket)) response.setHeader('connection', 'close');
    handler(request, response);
  };
  const server: Server | SecureServer =
    tls === undefined
      ? createServer(limits, listener)
      : createSecureServer({ ...limits, ...serverOptions(tls) }, listener);
  server.timeout = silentMs;
  const unfollow = tls === undefined ? () => {} : useLatestCertificates(server as SecureServer, tls);
  // A server may leave aside what it does not know there: RFC 9110, section 10.1.1.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  let closing = false;
  let running = 0;
  // Once nothing runs, what is left are connections that nobody uses, or that were opened and never used: they would
  // hold up the end for a minute, or for ever.
  const closeUnused = () => {
    if (closing && running === 0) server.closeAllConnections();
  };
  server.on('request', (request, response) => {
    running += 1;
    response.once('close', () => {
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
        // A listening TCP server has an AddressInfo.
        server.listen({ port, host, backlog: BACKLOG }, () => resolve((server.address() as AddressInfo).port));
      }),
    drain() {
      draining = true;
    },
    close: (graceMs = 15_000) =>
      new Promise((resolve) => {
        closing = true;
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        const end = () => {
          clearTimeout(cut);
          unfollow();
          resolve();
        };
        if (server.listening) server.close(end);
        else end();
        closeUnused();
      }),
  };
}
