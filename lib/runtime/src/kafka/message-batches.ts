import type { Message } from 'kafkajs';
import { toBatches } from '../flow/batches.ts';

interface TopicMessage {
  readonly topic: string;
  readonly message: Message;
}

/** Below the 1,048,588 bytes that brokers accept (topics.ts): the batch itself adds some bytes. */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_BATCH_MESSAGES = 500;
/** Maximum bytes of lengths, times and offsets, for a record and for each header (Kafka's record format 2). */
const RECORD_OVERHEAD = 40;
const HEADER_OVERHEAD = 10;

/**
 * Splits messages into batches that a broker accepts, even if a whole batch goes to one partition. An oversized message
 * gets a batch of its own.
 */
export function toMessageBatches(messages: readonly TopicMessage[]): readonly (readonly TopicMessage[])[] {
  return toBatches(messages, {
    items: MAX_BATCH_MESSAGES,
    size: MAX_BATCH_BYTES,
    sizeOf: ({ message }) => sizeOf(message),
  });
}

function sizeOf({ key, value, headers = {} }: Message): number {
  let bytes = RECORD_OVERHEAD + lengthOf(key ?? '') + lengthOf(value ?? '');
  for (const [name, values] of Object.entries(headers)) {
    for (const one of [values ?? ''].flat()) bytes += HEADER_OVERHEAD + lengthOf(name) + lengthOf(one);
  }
  return bytes;
}

function lengthOf(data: string | Buffer): number {
  return typeof data === 'string' ? Buffer.byteLength(data) : data.length;
}
