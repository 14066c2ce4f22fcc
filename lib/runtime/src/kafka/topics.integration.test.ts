import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/test-kafka.ts';
import { ensureTopics } from './topics.ts';

describe('ensureTopics', () => {
  let test: TestKafka;

  beforeAll(() => {
    test = createTestKafka();
  });
  afterAll(() => test.cleanUp());

  it('creates what is missing, again and from several processes at once, and leaves the rest as it is', async () => {
    const [first, second] = [`test-${randomUUID()}`, `test-${randomUUID()}`];
    for (const topic of [first, second]) test.deleteLater(topic);
    const config = { 'retention.ms': '3600000' };
    await ensureTopics(test.kafka, [{ topic: first, partitions: 2, replication: 1, config }]);
    const both = [first, second].map((topic) => ({ topic, partitions: 3, replication: 1 }));
    await Promise.all([ensureTopics(test.kafka, both), ensureTopics(test.kafka, both)]);

    const admin = test.kafka.admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [first, second] });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: first }],
    });
    await admin.disconnect();
    const partitionsOf = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    expect([first, second].map((topic) => partitionsOf.get(topic))).toEqual([2, 3]);
    const retention = resources[0]?.configEntries.find(({ configName }) => configName === 'retention.ms');
    expect(retention?.configValue).toBe('3600000');
  });
});
