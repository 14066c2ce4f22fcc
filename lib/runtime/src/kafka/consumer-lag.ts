import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { createPeriodicWorker } from '../service/periodic.ts';
import type { Worker } from '../service/service-app.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';

const MEASURE_MS = 5_000;

/**
 * Asks the brokers, whether or not the group's members get on: what a member knows of its lag stands still when it
 * does. A group's lag counts from what it committed.
 */
export function createLagMeter({
  kafka,
  groupId,
  topics,
  metrics,
  log,
}: {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly metrics: Pick<ConsumerMetrics, 'lag'>;
  readonly log: Logger;
}): Worker {
  const admin = kafka.admin({ retry: { retries: 0 } });

  async function measure(): Promise<void> {
    // Does nothing when it is connected.
    await admin.connect();
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
      const committed = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        // -1 before the first commit; and what was deleted by age is nobody's lag.
        const next = committed.get(partition) ?? -1n;
        metrics.lag(topic, partition, BigInt(high) - (next > BigInt(low) ? next : BigInt(low)));
      }
    }
  }

  const worker = createPeriodicWorker({
    everyMs: MEASURE_MS,
    async work() {
      try {
        await measure();
      } catch (error) {
        // The next measurement makes a new connection.
        await admin.disconnect();
        throw error;
      }
    },
    what: 'the lag could not be measured',
    log,
  });

  return {
    start: worker.start,
    async stop() {
      await worker.stop();
      await admin.disconnect();
    },
  };
}
