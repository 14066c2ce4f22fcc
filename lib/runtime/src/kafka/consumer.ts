import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createLoop, createPeriodicWorker, type Worker } from '../flow/loop.ts';
import type { IsReporter } from '../telemetry/reported-gauge.ts';
import { createBatchHandler, type MessageHandler } from './batch-handler.ts';
import { type ConsumerMetrics, createConsumerMetrics } from './consumer-metrics.ts';
import { countDeadLetters } from './dead-letters.ts';
import type { Publisher } from './publisher.ts';

const RESTART_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 10_000;
/**
 * Heartbeats per `sessionTimeoutMs`. A fetch waits for messages for up to one interval of heartbeats: shorter fetches
 * would waste CPU time, longer ones would delay heartbeats, commits and `stop`.
 */
const HEARTBEATS_PER_SESSION = 5;
/** Partitions that are handled at a time. The next fetch waits for all batches, so a low limit would cause delays. */
const PARTITIONS_AT_A_TIME = 16;

/**
 * A member of a consumer group, with at-least-once delivery. A new group begins at the oldest message. If the consumer
 * of kafkajs crashes, a new one replaces it. `stop` waits for the current events, commits and leaves the group.
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
}): Worker {
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
      // Only our loop restarts the consumer: kafkajs gives up on some errors, and may restart after `stop`.
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

  /** Disconnects after `begin` has ended: a connection that `begin` opens later would stay open. */
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
      // The next consumer starts after the pause, without the wait of the loop.
      return { expectsWork: true, pauseMs: RESTART_MS, skipsWait: true };
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

const MEASURE_MS = 5_000;
const IDLE_MEASURE_MS = 30_000;

/**
 * Measures the lag of a group from its committed offsets, and the dead letters of its topics. One replica reports for
 * all. The offsets come from the brokers, because a hanging consumer does not update its own lag.
 */
function createLagMeter({
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
  readonly metrics: ConsumerMetrics;
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
        // The committed offset is -1 before the first commit. Expired messages (before `low`) do not count.
        const next = committed.get(partition) ?? -1n;
        const lag = BigInt(high) - (next > BigInt(low) ? next : BigInt(low));
        metrics.setLag(topic, partition, lag);
        waiting += lag;
        ends.push(high);
      }
    }
    for (const topic of topics) metrics.setDeadLettersWaiting(topic, await countDeadLetters(admin, topic));
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
        // The next measurement connects again.
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

/** Offsets of all partitions of the consumer, as kafkajs passes them with a batch. */
type Progress = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary' | 'isRunning'>;

/** Interval of commits. After a crash, messages that were handled since the last commit may be repeated. */
const COMMIT_MS = 1_000;

type OffsetCommits = ReturnType<typeof createOffsetCommits>;

/** Commits offsets in the background, so that batches do not wait for commits. */
export function createOffsetCommits(log: Logger) {
  let latest: Progress | undefined;
  /** Commits run one at a time: an older commit that arrives late would reset the offsets of the group. */
  let committing: Promise<void> = Promise.resolve();

  function commit(): Promise<void> {
    const committed = committing.then(async () => {
      const offsets = latest?.uncommittedOffsets();
      if (offsets !== undefined && offsets.topics.length > 0) await latest?.commitOffsetsIfNecessary(offsets);
    });
    committing = committed.catch(() => {});
    return committed;
  }

  async function commitNow(): Promise<void> {
    try {
      await commit();
    } catch (error) {
      log.info({ err: error }, 'cannot commit the last offsets, handled messages may be repeated');
    }
  }

  const worker = createPeriodicWorker({
    everyMs: COMMIT_MS,
    work: commit,
    failure: 'cannot commit offsets',
    log,
  });

  return {
    start: worker.start,

    /** Runs the work on a batch. All batches of the consumer must go through this. */
    async runBatch(batch: Progress, work: () => Promise<void>): Promise<void> {
      latest = batch;
      let isDone = false;
      try {
        await work();
        isDone = true;
      } finally {
        // The consumer stops or loses partitions: commit, so that the next member continues here.
        if (!isDone || !batch.isRunning()) await commitNow();
      }
    },

    async stop(): Promise<void> {
      await worker.stop();
      await commitNow();
    },
  };
}
