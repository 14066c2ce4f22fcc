import type { Message } from 'kafkajs';
import { toBatches } from '../flow/batches.ts';

/** A message on its way to a topic. */
interface TopicMessage {
  readonly topic: string;
  readonly message: Message;
}

/** With room for what a batch has around its records; brokers take 1,048,588 (topics.ts). */
const MAX_BATCH_BYTES = 1_000_000;
const MAX_BATCH_MESSAGES = 500;
/** The most that lengths, times and offsets take: of a record, and of one of its headers (Kafka's record format 2). */
const RECORD_OVERHEAD = 40;
const HEADER_OVERHEAD = 10;

/**
 * Messages in parts that a broker takes at once, also if all of a part go to one partition. A message that is larger
 * than a part has one to itself.
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
