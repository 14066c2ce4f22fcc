import { randomUUID } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestKafka, type TestKafka } from '../testing/kafka/test-kafka.ts';
import { testLog } from '../testing/test-log.ts';
import { deadLetterTopic, ensureTopics, toTopicSpec } from './topics.ts';

const shape = { partitions: 1, replication: 1, minInsync: 1 };

describe('ensureTopics', () => {
  let test: TestKafka;

  beforeAll(() => {
    test = createTestKafka();
  });
  afterAll(() => test.cleanUp());

  const newTopic = () => {
    const topic = `test-${randomUUID()}`;
    test.deleteLater(topic);
    return topic;
  };

  function listen() {
    const warnings: unknown[] = [];
    const write = (line: string) => void warnings.push(JSON.parse(line));
    return { warnings, log: pino({ level: 'warn', base: null, timestamp: false }, { write }) };
  }

  async function configOf(topic: string): Promise<Record<string, string>> {
    const admin = test.kafka.admin();
    await admin.connect();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topic }],
    });
    await admin.disconnect();
    return Object.fromEntries(resources[0]?.configEntries.map((entry) => [entry.configName, entry.configValue]) ?? []);
  }

  async function partitionsOf(...topics: string[]): Promise<(number | undefined)[]> {
    const admin = test.kafka.admin();
    await admin.connect();
    const metadata = await admin.fetchTopicMetadata({ topics });
    await admin.disconnect();
    return topics.map((topic) => metadata.topics.find(({ name }) => name === topic)?.partitions.length);
  }

  it('creates missing topics, also repeatedly and concurrently, and keeps existing ones', async () => {
    const [first, second] = [newTopic(), newTopic()];
    await ensureTopics(test.kafka, [toTopicSpec(first, { ...shape, partitions: 2 })], testLog);
    const both = [first, second].map((topic) => toTopicSpec(topic, { ...shape, partitions: 3 }));
    await Promise.all([ensureTopics(test.kafka, both, testLog), ensureTopics(test.kafka, both, testLog)]);
    expect(await partitionsOf(first, second)).toEqual([2, 3]);
  });

  it('creates topics that lose no acknowledged message, and larger limits for dead letters', async () => {
    const topic = newTopic();
    const letters = deadLetterTopic(topic);
    test.deleteLater(letters);
    const { warnings, log } = listen();
    const specs = [topic, letters].map((name) => toTopicSpec(name, { ...shape, minInsync: 2 }));
    await ensureTopics(test.kafka, specs, log);
    expect(await configOf(topic)).toMatchObject({
      'min.insync.replicas': '2',
      'unclean.leader.election.enable': 'false',
      'max.message.bytes': '1048588',
      'compression.type': 'producer',
      'cleanup.policy': 'delete',
    });
    expect(await configOf(letters)).toMatchObject({ 'max.message.bytes': '1064972' });
    await ensureTopics(test.kafka, specs, log);
    expect(warnings).toEqual([]);
  });

  it('creates compacted topics for states, and warns of others', async () => {
    const [topic, older] = [newTopic(), newTopic()];
    await ensureTopics(test.kafka, [{ ...toTopicSpec(topics.tenant, shape), topic }], testLog);
    expect(await configOf(topic)).toMatchObject({ 'cleanup.policy': 'compact' });
    await ensureTopics(test.kafka, [toTopicSpec(older, shape)], testLog);
    const { warnings, log } = listen();
    await ensureTopics(test.kafka, [{ ...toTopicSpec(topics.tenant, shape), topic: older }], log);
    expect(warnings).toMatchObject([{ topic: older, setting: 'cleanup.policy', configured: 'compact' }]);
  });

  it('warns of topics with fewer partitions or replicas than configured, or other settings', async () => {
    const topic = newTopic();
    await ensureTopics(test.kafka, [toTopicSpec(topic, shape)], testLog);
    const { warnings, log } = listen();
    await ensureTopics(test.kafka, [toTopicSpec(topic, { partitions: 4, replication: 3, minInsync: 2 })], log);
    const common = { level: 40, msg: 'topic is not as configured', topic };
    expect(warnings).toEqual([
      { ...common, setting: 'partitions', configured: '4', actual: '1' },
      { ...common, setting: 'replicas', configured: '3', actual: '1' },
      { ...common, setting: 'min.insync.replicas', configured: '2', actual: '1' },
    ]);
  });

  it('does not warn of topics with more partitions', async () => {
    const topic = newTopic();
    await ensureTopics(test.kafka, [toTopicSpec(topic, { ...shape, partitions: 3 })], testLog);
    const { warnings, log } = listen();
    await ensureTopics(test.kafka, [toTopicSpec(topic, shape)], log);
    expect(warnings).toEqual([]);
  });

  it('rejects if the cluster has too few brokers for the replicas', async () => {
    const spec = toTopicSpec(`test-${randomUUID()}`, { ...shape, replication: 3 });
    await expect(ensureTopics(test.kafka, [spec], testLog)).rejects.toThrow();
  });
});
