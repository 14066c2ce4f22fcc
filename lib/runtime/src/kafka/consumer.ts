import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createLoop } from '../flow/loop.ts';
import type { IsReporter } from '../telemetry/reported-gauge.ts';
import { createBatchHandler, type MessageHandler } from './batch-handler.ts';
import { createLagMeter } from './consumer-lag.ts';
import { createConsumerMetrics } from './consumer-metrics.ts';
import { createOffsetCommits, type OffsetCommits } from './offset-commits.ts';
import type { Publisher } from './publisher.ts';

export interface EventConsumer {
  /** Starts consuming in the background, as soon as Kafka is reachable. */
  start(): void;
  /** Finishes the current events, commits and leaves the group. */
  stop(): Promise<void>;
}

const RESTART_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 10_000;
/**
 * A fetch without messages waits until the next heartbeat is due, because each request wakes both processes. Heartbeats,
 * commits and `stop` wait for it.
 */
const HEARTBEATS_PER_SESSION = 5;
/**
 * Maximum number of partitions whose batches are handled at a time. The next fetch waits for all batches, so a low
 * limit would delay some partitions.
 */
const PARTITIONS_AT_A_TIME = 16;

/**
 * A member of a consumer group, with at-least-once delivery. A new group begins at the oldest message. After any crash
 * of kafkajs's consumer, a new one replaces it, and the process keeps running.
 *
 * @param publisher publishes dead letters; their topics (`deadLetterTopic`) must exist
 */
export function createConsumer<T>(options: {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Time without heartbeats after which the partitions go to another member. Milliseconds. */
  readonly sessionTimeoutMs: number;
  readonly handler: MessageHandler<T>;
  readonly publisher: Publisher;
  readonly isReporter: IsReporter;
  readonly log: Logger;
  readonly registry: Registry;
}): EventConsumer {
  const { kafka, groupId, topics, sessionTimeoutMs, handler, publisher, isReporter, registry } = options;
  const log = options.log.child({ group: groupId });
  const metrics = createConsumerMetrics(registry, { group: groupId, topics });
  const handleBatch = createBatchHandler({ group: groupId, handler, publisher, metrics, log });
  const lag = createLagMeter({ kafka, groupId, topics, metrics, isReporter, log });
  const heartbeatMs = Math.floor(sessionTimeoutMs / HEARTBEATS_PER_SESSION);
  let endRun = () => {};

  function create(): Consumer {
    return kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: 60_000,
      maxBytesPerPartition: 512_000,
      maxWaitTimeInMs: heartbeatMs,
      // Only our loop restarts: kafkajs gives up on some errors, and may restart after `stop`.
      retry: { retries: 5, restartOnFailure: async () => false },
    });
  }

  async function begin(consumer: Consumer, commits: OffsetCommits): Promise<void> {
    await consumer.connect();
    if (loop.isStopped()) return;
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (loop.isStopped()) return;
    await consumer.run({
      eachBatch: (batch) => commits.runBatch(batch, () => handleBatch(batch)),
      eachBatchAutoResolve: false,
      // Autocommit would make every batch wait for a commit.
      autoCommit: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_A_TIME,
    });
  }

  /** Consumes until `stop` or a failure. */
  async function consume(): Promise<void> {
    const consumer = create();
    const end = Promise.withResolvers<void>();
    endRun = end.resolve;
    consumer.on('consumer.crash', ({ payload }) => end.reject(payload.error));
    consumer.on('consumer.group_join', metrics.rebalanced);
    const commits = createOffsetCommits(log);
    const begun = begin(consumer, commits).catch(end.reject);
    commits.start();
    try {
      await end.promise;
    } catch (error) {
      log.error({ err: error }, 'consumer failed, restarting');
    } finally {
      await commits.stop();
      await disconnect(consumer, begun);
    }
  }

  /** Disconnects after the start has ended: a connection that the start opens later would stay open. */
  async function disconnect(consumer: Consumer, begun: Promise<void>): Promise<void> {
    const disconnected = begun.then(() => consumer.disconnect());
    try {
      const isLate = await Promise.race([disconnected, sleep(DISCONNECT_TIMEOUT_MS, true, { ref: false })]);
      if (isLate) log.warn('consumer did not disconnect in time');
    } catch (error) {
      log.warn({ err: error }, 'cannot disconnect the consumer');
    }
  }

  const loop = createLoop({
    step: async () => {
      await consume();
      return { foundWork: true, pauseMs: RESTART_MS, immediately: true };
    },
    everyMs: RESTART_MS,
    backoff: { firstMs: RESTART_MS, maxMs: RESTART_MS },
    failure: 'cannot consume events',
    log,
  });

  return {
    start() {
      lag.start();
      loop.start();
    },
    async stop() {
      const stopped = loop.stop();
      endRun();
      await Promise.all([stopped, lag.stop()]);
    },
  };
}
