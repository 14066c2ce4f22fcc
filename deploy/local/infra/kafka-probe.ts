import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/*
 * Sends a Metadata request without the client library (Kafka protocol, "Metadata API", version 1). The library's timers
 * and sockets would delay the end of the launcher.
 */
const METADATA = 3;
const VERSION = 1;
const CLIENT_ID = 'survey-local';
const CORRELATION_ID = 1;

const request = Buffer.alloc(4 + 2 + 2 + 4 + 2 + CLIENT_ID.length + 4);
request.writeInt32BE(request.length - 4, 0);
request.writeInt16BE(METADATA, 4);
request.writeInt16BE(VERSION, 6);
request.writeInt32BE(CORRELATION_ID, 8);
request.writeInt16BE(CLIENT_ID.length, 12);
request.write(CLIENT_ID, 14, 'ascii');
// The rest stays zero: an empty array of topics, which means "no topics" since version 1.

/** Offset of the number of brokers in the reply, after its length and correlation id. */
const BROKER_COUNT_AT = 8;

/** Resolves if a broker at this address ("host:port") replies and is ready; rejects otherwise. */
export function probeKafka(address: string, timeoutMs = 2_000): Promise<void> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
    const fail = (reason: string) => socket.destroy(new Error(`${address}: ${reason}`));
    let reply: Buffer = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => fail('no reply'));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${address}: closed the connection`)));
    socket.once('connect', () => socket.write(request));
    socket.on('data', (chunk) => {
      reply = Buffer.concat([reply, chunk]);
      if (reply.length < BROKER_COUNT_AT + 4) return;
      if (reply.readInt32BE(4) !== CORRELATION_ID) fail('does not speak the Kafka protocol');
      else if (reply.readInt32BE(BROKER_COUNT_AT) < 1) fail('no broker is ready');
      else {
        resolve();
        socket.destroy();
      }
    });
  });
}

/** Waits until a broker at this address is ready. Throws if `signal` is aborted before. */
export async function untilKafkaServes(address: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await probeKafka(address);
    } catch (error) {
      if (signal.aborted) throw new Error(`${address} did not become ready`, { cause: error });
    }
    // After an abort, the next iteration throws.
    await delay(50, undefined, { signal }).catch(() => {});
  }
}
