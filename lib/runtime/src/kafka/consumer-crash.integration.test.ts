import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../flow/loop.ts';
import { connectSecuredKafka, isSecured, type SecuredKafka } from '../testing/kafka/secured-kafka.ts';
import { user } from '../testing/kafka/start-test-kafka.ts';
import { certificatesOf } from '../testing/test-certificates.ts';
import { testLog } from '../testing/test-log.ts';
import { createConsumer } from './consumer.ts';
import { createKafka } from './kafka-client.ts';
import { toKafkaSecurity } from './kafka-security.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { deadLetterTopic, ensureTopics, toTopicSpec } from './topics.ts';

describe.skipIf(!isSecured)('a consumer with an error that kafkajs does not retry', () => {
  let broker: SecuredKafka;
  let publisher: Publisher;
  let consumer: Worker;
  let topic: string;
  let groupId: string;
  let events: string[];
  let logged: string[];
  const registry = new Registry();

  beforeAll(async () => {
    broker = await connectSecuredKafka();
  });
  beforeEach(async () => {
    topic = `things-${randomUUID()}`;
    groupId = randomUUID();
    events = [];
    logged = [];
    const shape = { partitions: 1, replication: 1, minInsync: 1 };
    const specs = [topic, deadLetterTopic(topic)].map((name) => toTopicSpec(name, shape));
    await ensureTopics(broker.admin, specs, testLog);
    const security = toKafkaSecurity({
      kafkaTls: true,
      kafkaTlsCaFile: join(certificatesOf('first'), 'ca.crt'),
      kafkaTlsCertFile: undefined,
      kafkaTlsKeyFile: undefined,
      kafkaSaslMechanism: 'plain',
      kafkaSaslUsername: user.username,
      kafkaSaslPassword: user.password,
    });
    const kafka = createKafka({ brokers: [broker.sasl], clientId: 'test', security, log: testLog });
    publisher = createPublisher({ kafka });
    consumer = createConsumer({
      kafka,
      groupId,
      topics: [topic],
      sessionTimeoutMs: 5_000,
      handler: {
        decode({ value }) {
          const text = Buffer.from(value).toString();
          if (text === 'bad') throw new Error('cannot read it');
          return text;
        },
        handle: async (chunk) => void events.push(...chunk),
      },
      publisher,
      isReporter: async () => true,
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
      registry,
    });
    consumer.start();
  });
  afterEach(async () => {
    await consumer.stop();
    await publisher.close();
  });
  afterAll(() => broker.close());

  const publish = (value: string) => publisher.publish([{ topic, key: 'k', value: Buffer.from(value), headers: {} }]);
  const committedOffset = async () => {
    const admin = broker.admin.admin();
    await admin.connect();
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    await admin.disconnect();
    return committed?.partitions[0]?.offset;
  };
  const crashes = () => logged.filter((line) => line.includes('consumer failed, restarting'));
  // A new topic may also cause a crash: count only this error.
  const rejections = () => crashes().filter((line) => line.includes('Not authorized to access topics'));

  it('is recreated after each crash, and continues when the cause is gone', async () => {
    await publish('a');
    await expect.poll(() => events).toEqual(['a']);
    await expect.poll(committedOffset).toBe('1');
    const allow = await broker.forbid('read', topic);
    await expect.poll(() => rejections().length).toBeGreaterThan(1);
    // The other work of the process continues.
    await publish('b');
    expect(events).toEqual(['a']);
    await allow();
    await expect.poll(() => events).toEqual(['a', 'b']);
  });

  it('does not pass an unreadable message while the broker rejects the dead letter', async () => {
    const allow = await broker.forbid('write', deadLetterTopic(topic));
    await publish('bad');
    await publish('a');
    await expect.poll(() => logged.join('')).toContain('cannot handle messages, retrying');
    await publish('b');
    expect(events).toEqual([]);
    expect(crashes()).toEqual([]);
    await allow();
    await expect.poll(() => events).toEqual(['a', 'b']);
    expect(await registry.metrics()).toMatch(/kafka_consumer_dead_letters_total{.*kind="unreadable"} 1/);
  });
});
