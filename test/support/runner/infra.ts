import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@survey/local/infra/mongo';
import { createHost } from '@survey/local/process/host';
import { startTestKafka } from '@survey/runtime/testing/kafka/start-test-kafka';
import type { TestProject } from 'vitest/node';

/** Starts one MongoDB and one Kafka for all integration tests; each test uses its own databases and topics. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const host = createHost();
  const folder = await mkdtemp(join(tmpdir(), 'survey-infra-'));
  host.reaper.removeAtEnd(folder);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const [mongo, kafka] = await Promise.all([
    startMongo({ dataDir: join(folder, 'mongodb'), failPoints: true, host, log }),
    startTestKafka(join(folder, 'kafka'), log, host),
  ]);
  project.provide('mongodbUri', mongo.uri);
  project.provide('kafkaBrokers', kafka.brokers);
  project.provide('securedKafka', kafka.secured);
  return async () => {
    await Promise.all([mongo.stop(), kafka.stop()]);
    await host.close();
  };
}
