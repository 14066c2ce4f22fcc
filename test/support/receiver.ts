import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import type {} from './stack.ts';

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

/** Listens on a free port; `statusOf` chooses the status of the answer to the nth webhook, from 1. */
export async function startReceiver(statusOf: (nth: number) => number = () => 200, answer?: string): Promise<Receiver> {
  const host = inject('receiverHost');
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, raw: Buffer.concat(chunks) });
      response.writeHead(statusOf(received.length), { 'content-type': 'text/plain; charset=utf-8' });
      response.end(answer ?? `answer ${received.length}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What is in a webhook. */
interface Message {
  readonly event: string;
  readonly data: { readonly survey_id?: string; readonly response_id?: string };
}

/** Longer than the lease of a delivery whose worker was lost, and than Kafka takes to come back. */
const PATIENCE = { timeoutMs: 60_000 };

/** Resolves when webhooks have come with all of these keys. */
export async function untilReceived(
  { received }: Receiver,
  keys: readonly string[],
  keyOf: (message: Message) => string,
): Promise<void> {
  const missing = new Set(keys);
  let seen = 0;
  await poll(() => {
    for (const { raw } of received.slice(seen)) missing.delete(keyOf(JSON.parse(raw.toString())));
    seen = received.length;
    if (missing.size > 0) throw new Error(`${missing.size} of ${keys.length} did not arrive`);
    return true;
  }, PATIENCE);
}

/** What a receiver's developer writes to check `X-Service-Signature`, with nothing but node:crypto. */
export function isSigned({ headers, raw }: ReceivedWebhook, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
