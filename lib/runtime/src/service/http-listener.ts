import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP/1.1 server that is not listening yet. */
export interface HttpListener {
  /** Listens, and resolves to the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connections and resolves when the running requests are done. */
  close(): Promise<void>;
  readonly server: Server;
}

interface Options {
  /** How long a request may take to arrive, with its body. Milliseconds. */
  readonly requestTimeoutMs?: number;
}

/** node:http with the limits that every listener of ours has. */
export function createHttpListener(
  handler: RequestListener,
  { requestTimeoutMs = 60_000 }: Options = {},
): HttpListener {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      requestTimeout: requestTimeoutMs,
      // Longer than the idle time of the gateway's agent, so that it never reuses a connection that is closing.
      keepAliveTimeout: 65_000,
    },
    handler,
  );
  let closing = false;
  server.on('request', (_request, response) => {
    // A connection that was busy when the server closed is idle after its answer, and would be kept for a minute.
    response.once('close', () => {
      if (closing) server.closeIdleConnections();
    });
  });
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        // A listening TCP server has an AddressInfo.
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        if (!server.listening) resolve();
        else server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
