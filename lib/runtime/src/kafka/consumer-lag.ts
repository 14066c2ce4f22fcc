import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { createPeriodicWorker } from '../flow/periodic-worker.ts';
import type { Worker } from '../flow/worker.ts';
import type { IsReporter } from '../telemetry/reported-gauge.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { countDeadLetters } from './dead-letters.ts';

const MEASURE_MS = 5_000;
const IDLE_MEASURE_MS = 30_000;

/**
 * Measures the lag of a group from its committed offsets, and the dead letters of its topics; one replica reports for
 * all. It asks the brokers, because a consumer that hangs does not update its own lag.
 */
export function createLagMeter({
  kafka,
  groupId,
  topics,
  metrics,
  isReporter,
  log,
}: {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly metrics: Pick<ConsumerMetrics, 'lag' | 'deadLettersWaiting' | 'forgetReported'>;
  readonly isReporter: IsReporter;
  readonly log: Logger;
}): Worker {
  const admin = kafka.admin({ retry: { retries: 0 } });
  let lastEnds = '';

  /** Resolves to whether offsets have moved or messages are waiting. */
  async function measure(): Promise<boolean> {
    await admin.connect();
    const ends: string[] = [];
    let waiting = 0n;
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
      const committed = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        // -1 before the first commit. Expired messages do not count.
        const next = committed.get(partition) ?? -1n;
        const lag = BigInt(high) - (next > BigInt(low) ? next : BigInt(low));
        metrics.lag(topic, partition, lag);
        waiting += lag;
        ends.push(high);
      }
    }
    for (const topic of topics) metrics.deadLettersWaiting(topic, await countDeadLetters(admin, topic));
    const before = lastEnds;
    lastEnds = ends.join();
    return waiting > 0n || lastEnds !== before;
  }

  const worker = createPeriodicWorker({
    everyMs: MEASURE_MS,
    idleEveryMs: IDLE_MEASURE_MS,
    async work() {
      if (!(await isReporter())) {
        metrics.forgetReported();
        return false;
      }
      try {
        return await measure();
      } catch (error) {
        await admin.disconnect();
        throw error;
      }
    },
    failure: 'cannot measure the consumer lag',
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
