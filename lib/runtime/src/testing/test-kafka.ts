import { randomUUID } from 'node:crypto';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { inject } from 'vitest';
import { type EventMessage, toEventMessage } from '../kafka/event-message.ts';
import { createKafka } from '../kafka/kafka-client.ts';
import { deadLetterTopic, ensureTopics, toTopicSpec } from '../kafka/topics.ts';
import type {} from './infra-context.ts';
import { testLog } from './test-log.ts';

export interface TestKafka {
  readonly kafka: Kafka;
  /** Makes a topic of this test's own, with its dead-letter topic, and gives its name. */
  createTopic(partitions: number): Promise<string>;
  /** The first messages of a topic, or those of them that are wanted; of one partition in their order. */
  readTopic(
    topic: string,
    count: number,
    isWanted?: (message: EventMessage) => boolean,
  ): Promise<readonly EventMessage[]>;
  /** All messages that a topic has by now, and maybe some that come meanwhile; of one partition in their order. */
  readWhole(topic: string): Promise<readonly EventMessage[]>;
  /** The same as kafkajs gives them. */
  readRaw(topic: string, count: number): Promise<readonly KafkaMessage[]>;
  /** Has `cleanUp` delete a topic that the test made itself. */
  deleteLater(topic: string): void;
  /** Deletes the topics that were made. */
  cleanUp(): Promise<void>;
}

/** A client of the broker that all tests share. */
export function createTestKafka(): TestKafka {
  const brokers = inject('kafkaBrokers').split(',');
  const kafka = createKafka({ brokers, clientId: 'test', log: testLog });
  const topics: string[] = [];

  /** Reads until `isEnough`, which is asked after each message. */
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
          // A reader that was slow enough to join its group again gets messages once more.
          const place = `${partition}:${message.offset}`;
          if (seen.has(place)) return;
          seen.add(place);
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

  /** Where the last message of each partition is that has any. */
  async function lastPlaces(topic: string): Promise<readonly string[]> {
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
      const last = await lastPlaces(topic);
      return readUntil(
        topic,
        (partition, message) => toEventMessage(topic, partition, message),
        () => true,
        (_, seen) => last.every((place) => seen.has(place)),
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
