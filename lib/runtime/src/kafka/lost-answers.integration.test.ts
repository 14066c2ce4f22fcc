import { Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type LossyLine, startLossyLine } from '../testing/lossy-line.ts';
import { createTestKafka, type TestKafka } from '../testing/test-kafka.ts';
import { createPublisher } from './publisher.ts';
import { patchRequestQueue } from './request-queue-patch.ts';

describe('when the answer to a produce request is lost while others wait', () => {
  let test: TestKafka;
  let line: LossyLine;
  let kafka: Kafka;
  let topic: string;

  beforeEach(async () => {
    test = createTestKafka();
    topic = await test.createTopic(1);
    line = await startLossyLine(inject('kafkaBrokers').split(',')[0] ?? '');
    patchRequestQueue();
    kafka = new Kafka({
      brokers: ['on-the-line:1'],
      socketFactory: line.socketFactory,
      // The broker answers at once; no longer wait for what is lost.
      requestTimeout: 1_000,
      enforceRequestTimeout: true,
      logLevel: logLevel.NOTHING,
    });
  });
  afterEach(async () => {
    await line.close();
    await test.cleanUp();
  });

  async function readAll(): Promise<readonly string[]> {
    const admin = test.kafka.admin();
    await admin.connect();
    const [end] = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    return (await test.readTopic(topic, Number(end?.high))).map(({ value }) => String(value));
  }

  it.each(['cut', 'swallowed'] as const)('the publisher loses nothing that it acknowledged (%s)', async (how) => {
    const publisher = createPublisher({ kafka });
    const publish = (value: string) => publisher.publish([{ topic, key: 'k', value: Buffer.from(value), headers: {} }]);
    await publish('first');
    const acknowledged = ['first'];
    for (let round = 0; round < 3; round += 1) {
      line.loseNextAnswer(how);
      const values = Array.from({ length: 10 }, (_, index) => `${round}-${index}`);
      const results = await Promise.allSettled(values.map(publish));
      const rejected = values.filter((_, index) => results[index]?.status === 'rejected');
      // Whose answer was lost cannot know.
      expect(rejected).toContain(values[0]);
      acknowledged.push(...values.filter((value) => !rejected.includes(value)));
      for (const value of rejected) await publish(value);
      acknowledged.push(...rejected);
    }
    await publisher.close();
    expect(line.lost()).toBe(3);
    expect(acknowledged).toHaveLength(31);
    const stored = await readAll();
    expect(new Set(stored)).toEqual(new Set(acknowledged));
    expect(stored.length).toBeGreaterThan(31);
  });

  // Should this fail one day, kafkajs has been mended, and the publisher may be told to be idempotent.
  it('kafkajs with its idempotence acknowledges a message that the broker does not have', async () => {
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, retry: { retries: 5 } });
    await producer.connect();
    const send = (value: string) => producer.send({ topic, acks: -1, messages: [{ key: 'k', value }] });
    line.loseNextAnswer('swallowed');
    await Promise.all([send('a'), send('b')]);
    await producer.disconnect();
    // One of them, twice.
    const stored = await readAll();
    expect([stored.length, new Set(stored).size]).toEqual([2, 1]);
  });
});
