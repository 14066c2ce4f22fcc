import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it came in. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  /** The bytes of the body, untouched. */
  readonly raw: Buffer;
}

/** A receiver of webhooks that keeps everything it gets. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  close(): Promise<void>;
}

/** Listens on a free port; `statusOf` chooses the answer to the nth webhook, from 1. */
export async function startReceiver(statusOf: (nth: number) => number = () => 200): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, raw: Buffer.concat(chunks) });
      response.writeHead(statusOf(received.length), { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`answer ${received.length}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a receiver's developer writes to check `X-Service-Signature`, with nothing but node:crypto. */
export function isSigned({ headers, raw }: ReceivedWebhook, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
