import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A receiver on 127.0.0.1 that records its requests. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  connections(): number;
  close(): Promise<void>;
}

/** Replies to a request. `nth` counts from 1. */
export type Respond = (response: ServerResponse, nth: number) => void;

export async function startReceiver(respond: Respond = (response) => response.end('thanks')): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(chunks) });
      respond(response, received.length);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook?a=1`,
    received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Replies with one status after the other, then repeats the last one. */
export function statuses(...codes: readonly number[]): Respond {
  return (response, nth) => {
    response.statusCode = codes[Math.min(nth, codes.length) - 1] ?? 200;
    response.end(`reply ${nth}`);
  };
}
