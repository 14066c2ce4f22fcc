import { Registry } from 'prom-client';
import type { Worker } from '../../flow/loop.ts';
import { createConsumer } from '../../kafka/consumer.ts';
import { createPublisher } from '../../kafka/publisher.ts';
import { testLog } from '../test-log.ts';
import { createTestKafka, type TestKafka } from './test-kafka.ts';

/** Consumers of text messages. Texts that start with "bad" are unreadable. */
export interface TestConsumers extends TestKafka {
  start(
    topic: string,
    groupId: string,
    handle: (events: readonly string[]) => Promise<void>,
    registry?: Registry,
  ): Worker;
  /** Publishes texts with the same key. */
  publish(topic: string, ...values: readonly string[]): Promise<void>;
  /** Committed offset of a group for a topic with one partition; -1 before the first commit. */
  committedOffset(topic: string, groupId: string): Promise<number>;
  /** State of a group according to the broker: `Stable`, `PreparingRebalance`, … */
  groupState(groupId: string): Promise<string | undefined>;
  stopAll(): Promise<void>;
}

/** Creates a handler for `start`, and the list of events that it has handled. */
export function createEventRecorder() {
  const events: string[] = [];
  return { events, handle: async (chunk: readonly string[]) => void events.push(...chunk) };
}

export async function createTestConsumers(): Promise<TestConsumers> {
  const test = createTestKafka();
  const { kafka } = test;
  const publisher = createPublisher({ kafka });
  const admin = kafka.admin();
  await admin.connect();
  const consumers: Worker[] = [];

  function decode({ value }: { readonly value: Uint8Array }): string {
    const text = Buffer.from(value).toString();
    if (text.startsWith('bad')) throw new Error(`cannot read ${text}`);
    return text;
  }

  return {
    ...test,
    start(topic, groupId, handle, registry = new Registry()) {
      const handler = { decode, handle };
      const options = { kafka, publisher, log: testLog, sessionTimeoutMs: 5_000, isReporter: async () => true };
      const consumer = createConsumer({ ...options, groupId, topics: [topic], handler, registry });
      consumers.push(consumer);
      consumer.start();
      return consumer;
    },
    publish: (topic, ...values) =>
      publisher.publish(
        values.map((value) => ({ topic, key: 'k', value: Buffer.from(value), headers: { ce_id: value } })),
      ),
    async committedOffset(topic, groupId) {
      const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return Number(committed?.partitions[0]?.offset);
    },
    async groupState(groupId) {
      const { groups } = await admin.describeGroups([groupId]);
      return groups[0]?.state;
    },
    async stopAll() {
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    },
    async cleanUp() {
      await admin.disconnect();
      await publisher.close();
      await test.cleanUp();
    },
  };
}
