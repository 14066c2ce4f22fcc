import { randomInt } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received message. */
export interface Signed {
  readonly path: string;
  readonly deliveryId: string;
  readonly surveyId: string;
  readonly body: string;
  /** The sending replica: the prefix of its headers. */
  readonly sender: string;
  /** Time of the signature in seconds since 1970. */
  readonly signedAt: number;
  readonly signatures: readonly string[];
  readonly at: number;
  /** Undefined until the reply, and forever if the sender was gone before. */
  readonly repliedAt: number | undefined;
  /** Whether the reply was successful. */
  readonly isAccepted: boolean;
}

/** A receiver that stores all messages, delays a share of its replies by seconds, and rejects a tenth. */
export interface WatchfulReceiver {
  readonly urlOf: (path: string) => string;
  readonly received: readonly Signed[];
  /** Deliveries with concurrent attempts, and their senders. */
  readonly overlaps: readonly string[];
  /** From now on, delays one of `count` replies; initially one of 20. */
  takeLongForOneOf(count: number): void;
  /** Messages of a sender that wait for a reply. */
  waitingFor(sender: string): readonly Signed[];
  close(): Promise<void>;
}

/** Delays in milliseconds, long enough for overlaps and shorter than the timeout of an attempt. */
const LONG = { atLeast: 1_000, below: 4_000 };
const SHORT_BELOW_MS = 30;

export async function startWatchfulReceiver(): Promise<WatchfulReceiver> {
  const received: Signed[] = [];
  const running = new Set<Signed>();
  const overlaps: string[] = [];
  let oneOf = 20;
  const server = createServer((request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const message = { ...toMessage(url, headers, Buffer.concat(chunks).toString()), at };
      for (const other of running) {
        if (other.deliveryId === message.deliveryId)
          overlaps.push(`${message.deliveryId}: ${other.sender} and ${message.sender}`);
      }
      running.add(message);
      received.push(message);
      const takesLong = randomInt(oneOf) === 0;
      const replying = setTimeout(
        () => {
          message.repliedAt = Date.now();
          message.isAccepted = randomInt(10) > 0;
          running.delete(message);
          response.writeHead(message.isAccepted ? 200 : 503).end();
        },
        takesLong ? randomInt(LONG.atLeast, LONG.below) : randomInt(SHORT_BELOW_MS),
      );
      // Also emitted when the sender is killed.
      response.on('close', () => {
        clearTimeout(replying);
        running.delete(message);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    urlOf: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    overlaps,
    takeLongForOneOf(count) {
      oneOf = count;
    },
    waitingFor: (sender) => [...running].filter((message) => message.sender === sender),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A message without a reply. */
function toMessage(path: string, headers: IncomingHttpHeaders, body: string) {
  const own = Object.keys(headers).find((name) => name.endsWith('-delivery')) ?? '';
  const withoutReply: { repliedAt: number | undefined; isAccepted: boolean } = {
    repliedAt: undefined,
    isAccepted: false,
  };
  return {
    path,
    deliveryId: String(headers['webhook-id']),
    surveyId: String(JSON.parse(body).data.survey_id),
    body,
    sender: own.replace(/-delivery$/, ''),
    signedAt: Number(headers['webhook-timestamp']),
    signatures: String(headers['webhook-signature']).split(' '),
    ...withoutReply,
  };
}
