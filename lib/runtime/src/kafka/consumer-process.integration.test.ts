import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import type { HandledMessage } from '../testing/processes/consumer-under-test.ts';
import { createScripts } from '../testing/processes/start-script.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createPublisher, type Publisher } from './publisher.ts';

/** Long, because the session of a killed consumer must expire, and counting reads all records. */
const POLL_OPTIONS = { timeout: 240_000, interval: 500 };
const MESSAGES = 6_000;

describe('a consumer that is killed', () => {
  let database: TestDatabase;
  let test: TestKafka;
  let publisher: Publisher;
  const scripts = createScripts();

  beforeAll(async () => {
    database = await createTestDatabase();
    test = createTestKafka();
    publisher = createPublisher({ kafka: test.kafka });
  });
  afterEach(() => scripts.killAll());
  afterAll(async () => {
    await publisher.close();
    await test.cleanUp();
    await database.drop();
  });

  async function committedOffsets(topic: string, groupId: string): Promise<ReadonlyMap<number, number>> {
    const admin = test.kafka.admin();
    await admin.connect();
    try {
      const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    } finally {
      await admin.disconnect();
    }
  }

  async function handledOffsets(handled: Collection<HandledMessage>): Promise<Map<number, Set<number>>> {
    const byPartition = Map.groupBy(await handled.find().toArray(), ({ partition }) => partition);
    return new Map([...byPartition].map(([partition, all]) => [partition, new Set(all.map(({ offset }) => offset))]));
  }

  it('has committed only handled messages, and the next one handles the rest', {
    timeout: 600_000,
  }, async () => {
    const topic = await test.createTopic(3);
    const groupId = randomUUID();
    const handled = database.db.collection<HandledMessage>(topic);
    const keys = Array.from({ length: MESSAGES }, (_, index) => `k${index}`);
    await publisher.publish(keys.map((key) => ({ topic, key, value: Buffer.from(key), headers: {} })));
    const start = () =>
      scripts.start(
        'consumer-under-test',
        ...[inject('mongodbUri'), database.db.databaseName, inject('kafkaBrokers'), topic, groupId],
      );

    const killed = start();
    await expect.poll(() => handled.estimatedDocumentCount(), POLL_OPTIONS).toBeGreaterThan(MESSAGES / 3);
    killed.kill('SIGKILL');
    const before = await handledOffsets(handled);
    const committed = await committedOffsets(topic, groupId);
    expect(Math.max(...committed.values())).toBeGreaterThan(0);
    for (const [partition, next] of committed) {
      const missing = Array.from({ length: Math.max(next, 0) }, (_, offset) => offset).filter(
        (offset) => !before.get(partition)?.has(offset),
      );
      expect(missing).toEqual([]);
    }
    const count = async () => (await handledOffsets(handled)).values().reduce((sum, { size }) => sum + size, 0);
    expect(await count()).toBeLessThan(MESSAGES);

    start();
    await expect.poll(count, POLL_OPTIONS).toBe(MESSAGES);
  });
});
