import { fileURLToPath } from 'node:url';
import { serviceNames } from '@survey/local/stack/services';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { testLog } from '@survey/runtime/testing/test-log';
import { consumerGroupsOf, platformTopics } from '@survey/tools/admin/consumer-groups';
import { exportIndexes } from '@survey/tools/doctor/inspect-indexes';
import { describe, expect, inject, it } from 'vitest';
import { admin } from '../support/admin.ts';
import { withDatabase } from '../support/faults/mongodb.ts';

const EXPECTED = fileURLToPath(new URL('../../tools/doctor/indexes.json', import.meta.url));

type KafkaAdmin = ReturnType<ReturnType<typeof createKafka>['admin']>;

async function withKafka<T>(work: (kafkaAdmin: KafkaAdmin) => Promise<T>): Promise<T> {
  const brokers = inject('stack').kafka_brokers.split(',');
  const kafkaAdmin = createKafka({ brokers, clientId: 'test', log: testLog }).admin();
  await kafkaAdmin.connect();
  try {
    return await work(kafkaAdmin);
  } finally {
    await kafkaAdmin.disconnect();
  }
}

// Each command is a process of its own.
describe('the doctor', () => {
  it('expects the indexes that set-up creates', async () => {
    const indexes = await Promise.all(
      serviceNames.toSorted().map(async (name) => [name, await withDatabase(`survey-${name}`, exportIndexes)]),
    );
    // After a change of indexes, run this test with -u.
    await expect(`${JSON.stringify(Object.fromEntries(indexes), undefined, 2)}\n`).toMatchFileSnapshot(EXPECTED);
  });

  // A cluster's Kafka cannot be reached from here.
  it.skipIf(inject('stack').kafka_brokers === '')('knows all topics and consumer groups of the platform', async () => {
    await withKafka(async (kafkaAdmin) => {
      const topics = (await kafkaAdmin.listTopics()).filter((name) => name.includes('.events'));
      expect(topics.sort()).toEqual([...platformTopics].sort());
      const { groups } = await kafkaAdmin.listGroups();
      const ours = groups.map(({ groupId }) => groupId).filter((name) => /^[a-z]+\.survey-[a-z]+\./.test(name));
      expect(ours.sort()).toEqual(
        consumerGroupsOf(undefined)
          .map(({ groupId }) => groupId)
          .sort(),
      );
    });
  });

  it.skipIf(inject('stack').kafka_brokers === '')('finds no problems in a running installation', async () => {
    const { findings } = await admin('doctor', '--json');
    const problems = findings.filter(({ level }: { level: string }) => level === 'problem');
    expect(problems).toEqual([]);
    const subjects = findings.map(({ subject }: { subject: string }) => subject);
    for (const name of serviceNames)
      expect(subjects).toEqual(
        expect.arrayContaining([
          name,
          `settings of ${name}`,
          `database of ${name}`,
          `encryption keys of ${name}`,
          `internal key of ${name}`,
        ]),
      );
    expect(subjects).toEqual(expect.arrayContaining(['gateway', 'internal key of operator']));
    expect(await admin('repair')).toEqual({ executed: false, indexes: [], topics: [], unchecked: [] });
  });

  it.skipIf(inject('stack').kafka_brokers === '')('does not reset offsets while the services run', async () => {
    const reset = admin('offsets', 'reset', '--to-datetime', '2026-01-01T00:00:00Z', '--execute');
    await expect(reset).rejects.toThrow('stop the services first: identity.survey-identity.audit');
  });

  it('has the list of tenants', async () => {
    await admin('tenant', 'create', '--name', 'Listed', '--owner-email', 'owner@example.com');
    const { tenants, has_more: hasMore } = await admin('tenant', 'list', '--limit', '1');
    expect(tenants).toMatchObject([{ tenant: { id: expect.any(String), status: expect.any(String) } }]);
    const next = await admin('tenant', 'list', '--limit', '1', '--after', tenants[0].tenant.id);
    expect(next.tenants).toHaveLength(hasMore ? 1 : 0);
  });
});
