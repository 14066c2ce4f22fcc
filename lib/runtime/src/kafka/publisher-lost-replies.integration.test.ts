import { Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type LossyProxy, startLossyProxy } from '../testing/kafka/lossy-proxy.ts';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { patchRequestQueue } from './kafka-client.ts';
import { createPublisher } from './publisher.ts';

describe('when the reply to a produce request is lost while others wait', () => {
  let test: TestKafka;
  let proxy: LossyProxy;
  let kafka: Kafka;
  let topic: string;

  beforeEach(async () => {
    test = createTestKafka();
    topic = await test.createTopic(1);
    proxy = await startLossyProxy(inject('kafkaBrokers').split(',')[0] ?? '');
    patchRequestQueue();
    kafka = new Kafka({
      brokers: ['on-the-proxy:1'],
      socketFactory: proxy.socketFactory,
      // The broker replies immediately, so a short timeout detects lost replies.
      requestTimeout: 1_000,
      enforceRequestTimeout: true,
      logLevel: logLevel.NOTHING,
    });
  });
  afterEach(async () => {
    await proxy.close();
    await test.cleanUp();
  });

  async function readAll(): Promise<readonly string[]> {
    const admin = test.kafka.admin();
    await admin.connect();
    const [end] = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    return (await test.readTopic(topic, Number(end?.high))).map(({ value }) => String(value));
  }

  it.each(['cut', 'swallowed'] as const)('the publisher loses no acknowledged message (%s)', async (how) => {
    const publisher = createPublisher({ kafka });
    const publish = (value: string) => publisher.publish([{ topic, key: 'k', value: Buffer.from(value), headers: {} }]);
    await publish('first');
    const acknowledged = ['first'];
    for (let round = 0; round < 3; round += 1) {
      proxy.dropNextReply(how);
      const values = Array.from({ length: 10 }, (_, index) => `${round}-${index}`);
      const results = await Promise.allSettled(values.map(publish));
      const rejected = values.filter((_, index) => results[index]?.status === 'rejected');
      // The call whose reply was lost must be rejected.
      expect(rejected).toContain(values[0]);
      acknowledged.push(...values.filter((value) => !rejected.includes(value)));
      for (const value of rejected) await publish(value);
      acknowledged.push(...rejected);
    }
    await publisher.close();
    expect(proxy.droppedReplies()).toBe(3);
    expect(acknowledged).toHaveLength(31);
    const stored = await readAll();
    expect(new Set(stored)).toEqual(new Set(acknowledged));
    expect(stored.length).toBeGreaterThan(31);
  });

  // Documents a bug of kafkajs. If this fails, the bug is fixed, and the publisher can be idempotent.
  it('kafkajs with its idempotence acknowledges a message that the broker does not have', async () => {
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, retry: { retries: 5 } });
    await producer.connect();
    const send = (value: string) => producer.send({ topic, acks: -1, messages: [{ key: 'k', value }] });
    proxy.dropNextReply('swallowed');
    await Promise.all([send('a'), send('b')]);
    await producer.disconnect();
    // One message is stored twice, the other one is lost.
    const stored = await readAll();
    expect([stored.length, new Set(stored).size]).toEqual([2, 1]);
  });
});
