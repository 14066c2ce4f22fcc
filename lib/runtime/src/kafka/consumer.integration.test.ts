import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/test-kafka.ts';
import { testLog } from '../testing/test-log.ts';
import { createConsumer, type EventConsumer } from './consumer.ts';
import { createKafka } from './kafka-client.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { deadLetterTopic, ensureTopics } from './topics.ts';

const SOON = { timeout: 30_000 };

describe('a consumer', () => {
  let test: TestKafka;
  let publisher: Publisher;
  const consumers: EventConsumer[] = [];

  beforeAll(() => {
    test = createTestKafka();
    publisher = createPublisher({ kafka: test.kafka });
  });
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  });
  afterAll(async () => {
    await publisher.close();
    await test.cleanUp();
  });

  function start(
    topic: string,
    groupId: string,
    handle: (events: readonly string[]) => Promise<void>,
    registry = new Registry(),
  ): EventConsumer {
    const decode = ({ value }: { value: Uint8Array }) => {
      const text = Buffer.from(value).toString();
      if (text.startsWith('bad')) throw new Error(`cannot read ${text}`);
      return text;
    };
    const handler = { decode, handle };
    const consumer = createConsumer({
      kafka: test.kafka,
      groupId,
      topics: [topic],
      handler,
      publisher,
      log: testLog,
      registry,
    });
    consumers.push(consumer);
    consumer.start();
    return consumer;
  }

  /** A handler that remembers. */
  function collector() {
    const events: string[] = [];
    return { events, handle: async (chunk: readonly string[]) => void events.push(...chunk) };
  }

  const publish = (topic: string, ...values: string[]) =>
    publisher.publish(
      values.map((value) => ({ topic, key: 'k', value: Buffer.from(value), headers: { ce_id: value } })),
    );

  it('gets all that a topic has when its group is new, and what comes later, in order', async () => {
    const topic = await test.createTopic(2);
    const values = Array.from({ length: 250 }, (_, index) => `e${index}`);
    await publish(topic, ...values.slice(0, 240));
    const { events, handle } = collector();
    const consumer = start(topic, randomUUID(), handle);
    await expect.poll(() => events.length, SOON).toBe(240);
    await publish(topic, ...values.slice(240));
    await expect.poll(() => events, SOON).toEqual(values);
    expect(consumer.isHealthy()).toBe(true);
  });

  it('goes on where its group was, without repeats after a clean stop', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await publish(topic, 'a', 'b');
    const first = collector();
    const before = start(topic, groupId, first.handle);
    await expect.poll(() => first.events, SOON).toEqual(['a', 'b']);
    await before.stop();
    expect(before.isHealthy()).toBe(false);
    await publish(topic, 'c');
    const second = collector();
    start(topic, groupId, second.handle);
    await expect.poll(() => second.events, SOON).toEqual(['c']);
  });

  it('hands events to the handler again while it throws, and passes over none', async () => {
    const topic = await test.createTopic(1);
    await publish(topic, 'a', 'b');
    const { events, handle } = collector();
    const registry = new Registry();
    const attempts: (readonly string[])[] = [];
    start(
      topic,
      randomUUID(),
      async (chunk) => {
        attempts.push(chunk);
        if (attempts.length < 3) throw new TypeError('not now');
        await handle(chunk);
      },
      registry,
    );
    await expect.poll(() => events, SOON).toEqual(['a', 'b']);
    expect(attempts).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(await registry.metrics()).toMatch(/kafka_consumer_failures_total{.*} 2/);
  });

  it('leaves to the next member of the group what it could not handle', async () => {
    const topic = await test.createTopic(1);
    const groupId = randomUUID();
    await publish(topic, 'a', 'b');
    let tried = 0;
    const failing = start(topic, groupId, async () => {
      tried += 1;
      throw new Error('never');
    });
    await expect.poll(() => tried, SOON).toBeGreaterThan(1);
    await failing.stop();
    const { events, handle } = collector();
    start(topic, groupId, handle);
    await expect.poll(() => events, SOON).toEqual(['a', 'b']);
  });

  it('moves what cannot be read to the dead letters, with the cause, and goes on', async () => {
    const topic = await test.createTopic(1);
    const registry = new Registry();
    const { events, handle } = collector();
    await publish(topic, 'a', 'bad one', 'b', 'bad two');
    start(topic, randomUUID(), handle, registry);
    await publish(topic, 'c');
    await expect.poll(() => events, SOON).toEqual(['a', 'b', 'c']);
    const dead = await test.readTopic(deadLetterTopic(topic), 2);
    expect(dead.map(({ key, value }) => [key, String(value)])).toEqual([
      ['k', 'bad one'],
      ['k', 'bad two'],
    ]);
    expect(dead[0]?.headers).toEqual({
      ce_id: 'bad one',
      dead_letter_topic: topic,
      dead_letter_partition: '0',
      dead_letter_offset: '1',
      dead_letter_cause: 'cannot read bad one',
    });
    const labels = { group: expect.any(String), topic };
    const counted = await registry.getSingleMetric('kafka_consumer_dead_letters_total')?.get();
    expect(counted?.values).toEqual([{ value: 2, labels }]);
  });

  it('takes an empty message for one to be read', async () => {
    const topic = await test.createTopic(1);
    const producer = test.kafka.producer({ createPartitioner: () => () => 0 });
    await producer.connect();
    await producer.send({ topic, messages: [{ value: null }] });
    await producer.disconnect();
    const { events, handle } = collector();
    start(topic, randomUUID(), handle);
    await expect.poll(() => events, SOON).toEqual(['']);
  });

  it('waits for a topic that is made later', async () => {
    const topic = `test-${randomUUID()}`;
    const { events, handle } = collector();
    const consumer = start(topic, randomUUID(), handle);
    expect(consumer.isHealthy()).toBe(false);
    await ensureTopics(test.kafka, [{ topic, partitions: 1, replication: 1 }]);
    await publish(topic, 'a');
    await expect.poll(() => events, SOON).toEqual(['a']);
    expect(consumer.isHealthy()).toBe(true);
    test.deleteLater(topic);
  });

  it('can be stopped while it cannot reach a broker', async () => {
    const kafka = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'test', log: testLog });
    const handler = { decode: () => '', handle: async () => {} };
    const registry = new Registry();
    const consumer = createConsumer({ kafka, groupId: 'x', topics: ['x'], handler, publisher, log: testLog, registry });
    consumer.start();
    await consumer.stop();
    expect(consumer.isHealthy()).toBe(false);
  });

  it('shares the partitions with a member that joins, and loses nothing', async () => {
    const topic = await test.createTopic(4);
    const groupId = randomUUID();
    const seen = new Set<string>();
    const handle = async (chunk: readonly string[]) => {
      for (const value of chunk) seen.add(value);
    };
    const registry = new Registry();
    const publishKeys = (prefix: string) =>
      publisher.publish(
        Array.from({ length: 200 }, (_, index) => ({
          topic,
          key: `k${index}`,
          value: Buffer.from(`${prefix}${index}`),
          headers: {},
        })),
      );
    start(topic, groupId, handle, registry);
    await publishKeys('x');
    await expect.poll(() => seen.size, SOON).toBe(200);
    start(topic, groupId, handle);
    await publishKeys('y');
    await expect.poll(() => seen.size, SOON).toBe(400);
    await expect.poll(async () => registry.metrics(), SOON).toMatch(/kafka_consumer_rebalances_total{.*} 2/);
  });

  it('tells its lag, which is none once all is handled', async () => {
    const topic = await test.createTopic(1);
    const registry = new Registry();
    const { events, handle } = collector();
    const gate = Promise.withResolvers<void>();
    await publish(topic, 'a', 'b', 'c');
    start(
      topic,
      randomUUID(),
      async (chunk) => {
        await gate.promise;
        await handle(chunk);
      },
      registry,
    );
    const lag = async () =>
      (await registry.getSingleMetric('kafka_consumer_lag')?.get())?.values.map(({ value }) => value);
    await expect.poll(lag, SOON).toEqual([3]);
    gate.resolve();
    await expect.poll(lag, SOON).toEqual([0]);
    expect(events).toEqual(['a', 'b', 'c']);
  });
});
