import type { Admin, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { createWaiter } from '../service/waiter.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';

/** Measures how far a consumer group is behind. */
export interface LagMeter {
  start(): void;
  stop(): Promise<void>;
}

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
}): LagMeter {
  const waiter = createWaiter();
  let running: Promise<void> = Promise.resolve();
  let failed = false;

  async function measure(admin: Admin): Promise<void> {
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

  async function run(): Promise<void> {
    const admin = kafka.admin({ retry: { retries: 0 } });
    while (!waiter.isStopped()) {
      try {
        await measure(admin);
        failed = false;
      } catch (error) {
        // Once for each time that it begins to fail; the consumer has more to say about it.
        if (!failed) log.warn({ err: error }, 'the lag could not be measured');
        failed = true;
        await admin.disconnect();
      }
      await waiter.pause(MEASURE_MS);
    }
    await admin.disconnect();
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      waiter.stop();
      await running;
    },
  };
}
