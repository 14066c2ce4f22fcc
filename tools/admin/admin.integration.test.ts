import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { topics } from '@survey/proto/catalog';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { deadLetterTopic, ensureTopics, toTopicSpec } from '@survey/runtime/kafka/topics';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, describe, expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('admin.ts', import.meta.url));
const { kafka, cleanUp } = createTestKafka();
const publisher = createPublisher({ kafka });

afterAll(async () => {
  await publisher.close();
  await cleanUp();
});

describe('admin dead-letters', () => {
  it('uses the Kafka of the environment variables, without a running stack', async () => {
    const letters = deadLetterTopic(topics.import);
    const shape = { partitions: 3, replication: 1, minInsync: 1 };
    const specs = [topics.import, letters].map((topic) => toTopicSpec(topic, shape));
    await ensureTopics(kafka, specs, testLog);
    const key = randomUUID();
    const headers = { dead_letter_cause: 'no event', ce_id: key };
    await publisher.publish([{ topic: letters, key, value: Buffer.from('secret'), headers }]);
    const env = { ...process.env, KAFKA_BROKERS: inject('kafkaBrokers'), LOCAL_DIR: join(tmpdir(), key) };
    const args = [script, 'dead-letters', 'list', '--topic', topics.import];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout).dead_letters).toContainEqual(expect.objectContaining({ key, ...headers }));
    expect(stdout).not.toContain('secret');
  });
});
