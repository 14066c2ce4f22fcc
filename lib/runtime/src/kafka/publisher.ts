import { type Kafka, type Message, Partitioners } from 'kafkajs';
import { inMessageSpans } from '../telemetry/message-spans.ts';
import { toMessageBatches } from './message-batches.ts';

export interface OutgoingMessage {
  readonly topic: string;
  /** Messages of one key keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message that came from Kafka and goes on as it is. */
export interface ForwardedMessage {
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string | Buffer[]>>;
}

export interface Publisher {
  /**
   * Resolves when all in-sync replicas have all of the messages, in the order given. When it rejects, some may be
   * there or not: publish all of them again. Calls are sent one after the other. Connects when needed.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  /** The same for messages that keep their bytes and headers, those of a trace too. */
  forward(messages: readonly ForwardedMessage[]): Promise<void>;
  /** Waits for what is being sent, then disconnects. */
  close(): Promise<void>;
}

/**
 * A producer that loses nothing that it has acknowledged. Repeats are possible, so consumers drop them by event id.
 * Two settings look odd and matter, both because of faults in kafkajs 2.2.4: its idempotence can acknowledge a message
 * that no broker has when sends overlap, and so can its retries when a partition changes its leader in between.
 */
export function createPublisher({ kafka }: { readonly kafka: Kafka }): Publisher {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: false,
    maxInFlightRequests: 1,
    retry: { retries: 0 },
  });
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

  async function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    // The caller has the error; the next call only waits its turn.
    last = done.catch(() => undefined);
    await done;
  }

  return {
    async publish(messages) {
      if (messages.length > 0) await inTurn(() => inMessageSpans('send', messages, send));
    },
    async forward(messages) {
      if (messages.length > 0) await inTurn(() => send(messages));
    },
    async close() {
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
