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
  /** Starts consuming in the background, as soon as Kafka is there, until `stop`. */
  start(): void;
  /** Finishes what is being handled, commits and leaves the group. */
  stop(): Promise<void>;
}

const RESTART_MS = 2_000;
const LEAVE_MS = 10_000;
const HEARTBEATS_PER_SESSION = 5;
/** Without messages, a fetch waits for a part of the session. Heartbeats, commits and `stop` wait for the fetch. */
const FETCHES_PER_SESSION = 10;
/** The next batches are fetched when all of these are handled: with few at a time, some would wait for others. */
const PARTITIONS_AT_A_TIME = 16;

/**
 * A member of a consumer group that gets every message at least once. A new group begins with the oldest message. A
 * crash of kafkajs's consumer, whatever the cause, is answered with a new one: nothing of the old one is used again, and
 * what else the process does goes on.
 *
 * @param publisher where dead letters go out; their topics (`deadLetterTopic`) have to exist
 */
export function createConsumer<T>(options: {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  /** How long a member may send no heartbeat before its partitions go to another one. */
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
  let endRun = () => {};

  function create(): Consumer {
    return kafka.consumer({
      groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: sessionTimeoutMs / HEARTBEATS_PER_SESSION,
      rebalanceTimeout: 60_000,
      maxBytesPerPartition: 512_000,
      maxWaitTimeInMs: Math.floor(sessionTimeoutMs / FETCHES_PER_SESSION),
      // One way of starting again: ours. kafkajs gives up on some errors, and may come back after it was stopped.
      retry: { retries: 5, restartOnFailure: async () => false },
    });
  }

  async function begin(consumer: Consumer, commits: OffsetCommits): Promise<void> {
    await consumer.connect();
    if (loop.isStopped()) return;
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (loop.isStopped()) return;
    await consumer.run({
      eachBatch: (batch) => commits.during(batch, () => handleBatch(batch)),
      eachBatchAutoResolve: false,
      // By itself it would have every batch wait for a commit.
      autoCommit: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_A_TIME,
    });
  }

  /** Consumes until `stop`, or until it fails. */
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
      log.error({ err: error }, 'consumer ended, starting again');
    } finally {
      await commits.stop();
      await leave(consumer, begun);
    }
  }

  /** Not before it has begun: a connection that comes up later would stay. */
  async function leave(consumer: Consumer, begun: Promise<void>): Promise<void> {
    const left = begun.then(() => consumer.disconnect());
    try {
      const isLate = await Promise.race([left, sleep(LEAVE_MS, true, { ref: false })]);
      if (isLate) log.warn('consumer did not leave its group in time');
    } catch (error) {
      log.warn({ err: error }, 'consumer did not leave its group');
    }
  }

  const loop = createLoop({
    step: async () => {
      await consume();
      return { foundWork: true, pauseMs: RESTART_MS, again: true };
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
