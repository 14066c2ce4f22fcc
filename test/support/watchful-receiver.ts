import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it came in. */
export interface Signed {
  readonly path: string;
  readonly deliveryId: string;
  readonly surveyId: string;
  readonly body: string;
  /** When it was signed, in whole seconds since 1970. */
  readonly signedAt: number;
  readonly signatures: readonly string[];
  readonly at: number;
  readonly isAccepted: boolean;
}

/** A receiver that takes its time, refuses a tenth, and keeps everything. */
export interface WatchfulReceiver {
  readonly urlOf: (path: string) => string;
  readonly received: readonly Signed[];
  /** Deliveries of which two attempts were here at the same time. */
  readonly overlaps: readonly string[];
  close(): Promise<void>;
}

export async function startWatchfulReceiver(): Promise<WatchfulReceiver> {
  const received: Signed[] = [];
  const running = new Set<string>();
  const overlaps: string[] = [];
  const server = createServer((request, response) => {
    const at = Date.now();
    const deliveryId = String(request.headers['webhook-id']);
    if (running.has(deliveryId)) overlaps.push(deliveryId);
    running.add(deliveryId);
    // Also when the sender is killed.
    response.on('close', () => running.delete(deliveryId));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const isAccepted = randomInt(10) > 0;
      const { 'webhook-timestamp': signedAt, 'webhook-signature': signatures } = request.headers;
      received.push({
        path: String(request.url),
        deliveryId,
        surveyId: JSON.parse(body).data.survey_id,
        body,
        signedAt: Number(signedAt),
        signatures: String(signatures).split(' '),
        at,
        isAccepted,
      });
      setTimeout(() => response.writeHead(isAccepted ? 200 : 503).end(), randomInt(30));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A listening TCP server has an AddressInfo.
    urlOf: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    overlaps,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
