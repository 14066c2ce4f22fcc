import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '@survey/runtime/testing/seeded-random';

/** The deliveries of one event type of one record. */
export interface Delivered {
  /** Repeated deliveries have the same id. */
  readonly deliveryIds: ReadonlySet<string>;
  /** The highest revision, or 0. */
  readonly revision: number;
}

/** A receiver that accepts most webhooks. */
export interface SoakReceiver {
  readonly port: number;
  /** Accepted deliveries by event and record: `response.submitted <id>`. */
  readonly delivered: ReadonlyMap<string, Delivered>;
  /** Number of attempts, including rejected ones. */
  readonly attempts: () => number;
  close(): Promise<void>;
}

interface Message {
  readonly event: string;
  readonly delivery_id: string;
  readonly data: { readonly survey_id?: string; readonly response_id?: string; readonly revision?: number };
}

const REJECTED = 0.05;
const SLOW = 0.02;
const SLOW_MS = 2_000;

export async function startSoakReceiver(random: Random): Promise<SoakReceiver> {
  const delivered = new Map<string, { deliveryIds: Set<string>; revision: number }>();
  let attempts = 0;

  function keep({ event, delivery_id: deliveryId, data }: Message): void {
    const key = `${event} ${data.response_id ?? data.survey_id}`;
    const known = delivered.get(key) ?? { deliveryIds: new Set(), revision: 0 };
    known.deliveryIds.add(deliveryId);
    known.revision = Math.max(known.revision, data.revision ?? 0);
    delivered.set(key, known);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      attempts += 1;
      const isRejected = random() < REJECTED;
      if (!isRejected) keep(JSON.parse(Buffer.concat(chunks).toString()));
      const reply = () => response.writeHead(isRejected ? 503 : 200).end();
      if (random() < SLOW) setTimeout(reply, SLOW_MS);
      else reply();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    delivered,
    attempts: () => attempts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
