import { type Kafka, type Message, Partitioners, type TopicMessages } from 'kafkajs';

export interface OutgoingMessage {
  readonly topic: string;
  /** Messages of one key keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Publisher {
  /**
   * Resolves when all in-sync replicas have all of the messages, in the order given. When it rejects, some may be
   * there or not: publish all of them again. Calls are sent one after the other. Connects when needed.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Whether the last attempt to connect or publish worked; true before the first. */
  isHealthy(): boolean;
  /** Waits for what is being sent, then disconnects. */
  close(): Promise<void>;
}

/** Brokers refuse batches over 1 MB by default (`message.max.bytes`). */
const MAX_BATCH_BYTES = 900_000;
const MAX_BATCH_MESSAGES = 500;

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
  let healthy = true;
  let last: Promise<void> = Promise.resolve();

  async function send(messages: readonly OutgoingMessage[]): Promise<void> {
    try {
      if (!connected) await producer.connect();
      connected = true;
      for (const batch of toBatches(messages)) {
        await producer.sendBatch({ acks: -1, timeout: 15_000, topicMessages: toTopicMessages(batch) });
      }
      healthy = true;
    } catch (error) {
      healthy = false;
      throw error;
    }
  }

  return {
    async publish(messages) {
      if (messages.length === 0) return;
      const sent = last.then(() => send(messages));
      // The caller has the error; the next call only waits its turn.
      last = sent.catch(() => undefined);
      await sent;
    },
    isHealthy: () => healthy,
    async close() {
      await last;
      await producer.disconnect();
    },
  };
}

function toBatches(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  const batches: OutgoingMessage[][] = [];
  let batch: OutgoingMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (batch.length === MAX_BATCH_MESSAGES || (batch.length > 0 && bytes + message.value.length > MAX_BATCH_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.value.length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function toTopicMessages(batch: readonly OutgoingMessage[]): TopicMessages[] {
  const byTopic = Map.groupBy(batch, ({ topic }) => topic);
  return [...byTopic].map(([topic, messages]) => ({ topic, messages: messages.map(toMessage) }));
}

function toMessage({ key, value, headers }: OutgoingMessage): Message {
  return { key, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength), headers: { ...headers } };
}
