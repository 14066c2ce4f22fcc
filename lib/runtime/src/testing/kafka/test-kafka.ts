import { randomUUID } from 'node:crypto';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { inject } from 'vitest';
import { type EventMessage, toEventMessage } from '../../kafka/event-message.ts';
import { createKafka } from '../../kafka/kafka-client.ts';
import { deadLetterTopic, ensureTopics, toTopicSpec } from '../../kafka/topics.ts';
import type {} from '../infra-context.ts';
import { testLog } from '../test-log.ts';

export interface TestKafka {
  readonly kafka: Kafka;
  /** Creates a topic for this test, with its dead-letter topic, and returns its name. */
  createTopic(partitions: number): Promise<string>;
  /** Reads the first messages of a topic, optionally filtered. Messages of a partition keep their order. */
  readTopic(
    topic: string,
    count: number,
    isWanted?: (message: EventMessage) => boolean,
  ): Promise<readonly EventMessage[]>;
  /** Reads all current messages of a topic, and possibly some newer ones. Messages of a partition keep their order. */
  readWhole(topic: string): Promise<readonly EventMessage[]>;
  /** Like `readTopic`, with the messages of kafkajs. */
  readRaw(topic: string, count: number): Promise<readonly KafkaMessage[]>;
  /** Lets `cleanUp` delete a topic that the test created itself. */
  deleteLater(topic: string): void;
  cleanUp(): Promise<void>;
}

export function createTestKafka(): TestKafka {
  const brokers = inject('kafkaBrokers').split(',');
  const kafka = createKafka({ brokers, clientId: 'test', log: testLog });
  const topics: string[] = [];

  /** Reads until `isEnough`, which is checked after each message. */
  async function readUntil<T>(
    topic: string,
    map: (partition: number, message: KafkaMessage) => T,
    isWanted: (message: T) => boolean,
    isEnough: (messages: readonly T[], seen: ReadonlySet<string>) => boolean,
  ) {
    const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
    const messages: T[] = [];
    const seen = new Set<string>();
    const all = Promise.withResolvers<void>();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({
        eachMessage: async ({ partition, message }) => {
          // After a rebalance, a slow reader gets messages twice.
          const position = `${partition}:${message.offset}`;
          if (seen.has(position)) return;
          seen.add(position);
          const mapped = map(partition, message);
          if (isWanted(mapped)) messages.push(mapped);
          if (isEnough(messages, seen)) all.resolve();
        },
      });
      await all.promise;
      return messages;
    } finally {
      await consumer.disconnect();
    }
  }

  const read = <T>(
    topic: string,
    count: number,
    map: (partition: number, message: KafkaMessage) => T,
    isWanted: (message: T) => boolean = () => true,
  ) => readUntil(topic, map, isWanted, ({ length }) => length === count);

  /** Positions (`partition:offset`) of the last message of each partition that is not empty. */
  async function lastPositions(topic: string): Promise<readonly string[]> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const offsets = await admin.fetchTopicOffsets(topic);
      return offsets.flatMap(({ partition, high }) => (high === '0' ? [] : [`${partition}:${Number(high) - 1}`]));
    } finally {
      await admin.disconnect();
    }
  }

  return {
    kafka,
    async createTopic(partitions) {
      const topic = `test-${randomUUID()}`;
      const shape = { partitions, replication: 1, minInsync: 1 };
      const specs = [topic, deadLetterTopic(topic)].map((name) => toTopicSpec(name, shape));
      await ensureTopics(kafka, specs, testLog);
      topics.push(topic, deadLetterTopic(topic));
      return topic;
    },
    readTopic: (topic, count, isWanted) =>
      read(topic, count, (partition, message) => toEventMessage(topic, partition, message), isWanted),
    async readWhole(topic) {
      const last = await lastPositions(topic);
      return readUntil(
        topic,
        (partition, message) => toEventMessage(topic, partition, message),
        () => true,
        (_, seen) => last.every((position) => seen.has(position)),
      );
    },
    readRaw: (topic, count) => read(topic, count, (_, message) => message),
    deleteLater: (topic) => void topics.push(topic),
    async cleanUp() {
      const admin = kafka.admin();
      await admin.connect();
      try {
        await admin.deleteTopics({ topics });
      } finally {
        await admin.disconnect();
      }
    },
  };
}
