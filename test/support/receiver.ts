import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import type {} from './stack.ts';

/** A received webhook. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  /** The unparsed body. */
  readonly raw: Buffer;
}

/** A receiver that stores all webhooks. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  close(): Promise<void>;
}

/** Listens on a free port. `statusOf` returns the reply status for the nth webhook, from 1. `reply` may repeat the body. */
export async function startReceiver(
  statusOf: (nth: number) => number = () => 200,
  reply?: string | ((raw: Buffer) => string),
): Promise<Receiver> {
  const host = inject('receiverHost');
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      received.push({ headers: request.headers, raw });
      response.writeHead(statusOf(received.length), { 'content-type': 'text/plain; charset=utf-8' });
      response.end((typeof reply === 'function' ? reply(raw) : reply) ?? `reply ${received.length}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
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

/** The payload of a webhook. */
interface Message {
  readonly event: string;
  readonly data: { readonly survey_id?: string; readonly response_id?: string };
}

/** Resolves when webhooks with all of these keys have arrived. */
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
  });
}

/** Verifies `X-Service-Signature` as a developer of a receiver would, with node:crypto only. */
export function isSigned({ headers, raw }: ReceivedWebhook, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
