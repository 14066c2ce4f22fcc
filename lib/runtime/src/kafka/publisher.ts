import { type Kafka, type Message, Partitioners } from 'kafkajs';
import { toBatches } from '../flow/batcher.ts';
import { inMessageSpans } from '../telemetry/message-spans.ts';

export interface OutgoingMessage {
  readonly topic: string;
  /** Messages of one key keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message from Kafka that is sent on unchanged. */
export interface ForwardedMessage {
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string | Buffer[]>>;
}

export type Publisher = ReturnType<typeof createPublisher>;

/**
 * A producer that may repeat messages, so consumers must drop repeats by event id. kafkajs's idempotence and retries
 * are off: with either one, kafkajs 2.2.4 can report success although no broker stored the message. This happens if
 * sends overlap or a partition changes its leader.
 */
export function createPublisher({ kafka }: { readonly kafka: Kafka }) {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: false,
    maxInFlightRequests: 1,
    retry: { retries: 0 },
  });
  /** Whether the first connection was made. kafkajs replaces lost connections by itself. */
  let connected = false;
  let last: Promise<void> = Promise.resolve();

  async function send(messages: readonly (OutgoingMessage | ForwardedMessage)[]): Promise<void> {
    if (!connected) await producer.connect();
    connected = true;
    for (const batch of toMessageBatches(messages.map(({ topic, ...rest }) => ({ topic, message: toMessage(rest) })))) {
      const byTopic = Map.groupBy(batch, ({ topic }) => topic);
      const topicMessages = [...byTopic].map(([topic, sent]) => ({
        topic,
        messages: sent.map(({ message }) => message),
      }));
      await producer.sendBatch({ acks: -1, timeout: 15_000, topicMessages });
    }
  }

  async function runInOrder(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    // The caller gets the error; the next call only waits for the end.
    last = done.catch(() => undefined);
    await done;
  }

  return {
    /**
     * Publishes messages in order, and resolves when all in-sync replicas have them. After a rejection, some may be
     * stored: publish all of them again. Calls run one after the other.
     */
    async publish(messages: readonly OutgoingMessage[]): Promise<void> {
      if (messages.length > 0) await runInOrder(() => inMessageSpans('send', messages, send));
    },
    /** Like `publish`, but keeps all bytes and headers, including the trace. */
    async forward(messages: readonly ForwardedMessage[]): Promise<void> {
      if (messages.length > 0) await runInOrder(() => send(messages));
    },
    async close(): Promise<void> {
      await last;
      await producer.disconnect();
    },
  };
}

function toMessage({ key, value, headers }: Omit<OutgoingMessage | ForwardedMessage, 'topic'>): Message {
  return {
    key,
    value: value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    headers: { ...headers },
  };
}

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
    maxItems: MAX_BATCH_MESSAGES,
    maxSize: MAX_BATCH_BYTES,
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
