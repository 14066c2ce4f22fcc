import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { createEventRecorder, createTestConsumers, type TestConsumers } from '../testing/kafka/test-consumers.ts';
import { testLog } from '../testing/test-log.ts';
import { createConsumer } from './consumer.ts';
import { createKafka } from './kafka-client.ts';
import { createPublisher } from './publisher.ts';
import { ensureTopics, toTopicSpec } from './topics.ts';

const shape = { partitions: 1, replication: 1, minInsync: 1 };

describe('a consumer', () => {
  let test: TestConsumers;

  beforeAll(async () => {
    test = await createTestConsumers();
  });
  afterEach(() => test.stopAll());
  afterAll(() => test.cleanUp());

  it('gets all messages of a topic if its group is new, and later ones, in order', async () => {
    const topic = await test.createTopic(2);
    const values = Array.from({ length: 250 }, (_, index) => `e${index}`);
    await test.publish(topic, ...values.slice(0, 240));
    const { events, handle } = createEventRecorder();
    test.start(topic, randomUUID(), handle);
    await expect.poll(() => events.length).toBe(240);
    await test.publish(topic, ...values.slice(240));
    await expect.poll(() => events).toEqual(values);
  });

  it('retries all events during an outage, and skips none', async () => {
    const topic = await test.createTopic(1);
    await test.publish(topic, 'a', 'b');
    const { events, handle } = createEventRecorder();
    const registry = new Registry();
    const attempts: (readonly string[])[] = [];
    test.start(
      topic,
      randomUUID(),
      async (chunk) => {
        attempts.push(chunk);
        if (attempts.length < 3) throw new AppError('UNAVAILABLE');
        await handle(chunk);
      },
      registry,
    );
    await expect.poll(() => events).toEqual(['a', 'b']);
    expect(attempts).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(await registry.metrics()).toMatch(/kafka_consumer_failures_total{.*} 2/);
  });

  it('reads empty messages', async () => {
    const topic = await test.createTopic(1);
    const producer = test.kafka.producer({ createPartitioner: () => () => 0 });
    await producer.connect();
    await producer.send({ topic, messages: [{ value: null }] });
    await producer.disconnect();
    const { events, handle } = createEventRecorder();
    test.start(topic, randomUUID(), handle);
    await expect.poll(() => events).toEqual(['']);
  });

  it('waits for a topic that is created later', async () => {
    const topic = `test-${randomUUID()}`;
    const { events, handle } = createEventRecorder();
    test.start(topic, randomUUID(), handle);
    await ensureTopics(test.kafka, [toTopicSpec(topic, shape)], testLog);
    test.deleteLater(topic);
    await test.publish(topic, 'a');
    await expect.poll(() => events).toEqual(['a']);
  });

  it('can be stopped while it cannot reach a broker', async () => {
    const kafka = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'test', log: testLog });
    const handler = { decode: () => '', handle: async () => {} };
    const registry = new Registry();
    const publisher = createPublisher({ kafka });
    const topics = ['x'];
    const options = { groupId: 'x', topics, sessionTimeoutMs: 5_000, handler, log: testLog };
    const consumer = createConsumer({ ...options, kafka, publisher, registry, isReporter: async () => true });
    consumer.start();
    await consumer.stop();
  });

  it('shares the partitions with a new member, without losing messages', async () => {
    const topic = await test.createTopic(4);
    const groupId = randomUUID();
    const seen = new Set<string>();
    const handle = async (chunk: readonly string[]) => {
      for (const value of chunk) seen.add(value);
    };
    const registry = new Registry();
    const publisher = createPublisher({ kafka: test.kafka });
    const publishKeys = (prefix: string) =>
      publisher.publish(
        Array.from({ length: 200 }, (_, index) => ({
          topic,
          key: `k${index}`,
          value: Buffer.from(`${prefix}${index}`),
          headers: {},
        })),
      );
    test.start(topic, groupId, handle, registry);
    await publishKeys('x');
    await expect.poll(() => seen.size).toBe(200);
    test.start(topic, groupId, handle);
    await publishKeys('y');
    await expect.poll(() => seen.size).toBe(400);
    await expect.poll(async () => registry.metrics()).toMatch(/kafka_consumer_rebalances_total{.*} 2/);
    await publisher.close();
  });

  it('reports its lag while it is stuck, and 0 when all is handled', async () => {
    const topic = await test.createTopic(2);
    const registry = new Registry();
    const { events, handle } = createEventRecorder();
    const gate = Promise.withResolvers<void>();
    await test.publish(topic, 'a', 'b', 'c');
    const work = async (chunk: readonly string[]) => {
      await gate.promise;
      await handle(chunk);
    };
    test.start(topic, randomUUID(), work, registry);
    const lags = async () =>
      (await registry.getSingleMetric('kafka_consumer_lag')?.get())?.values.map(({ value }) => value).sort();
    await expect.poll(lags).toEqual([0, 3]);
    await test.publish(topic, 'd');
    await expect.poll(lags).toEqual([0, 4]);
    gate.resolve();
    await expect.poll(lags).toEqual([0, 0]);
    expect(events).toEqual(['a', 'b', 'c', 'd']);
  });
});
