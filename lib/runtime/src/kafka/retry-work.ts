import { setTimeout as sleepFor } from 'node:timers/promises';
import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import { startInterval } from '../flow/interval.ts';
import { type Retried, retry } from '../flow/retry.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { isOutage } from './outage.ts';

/** The members of kafkajs's payload that handling a batch needs. */
export type Batch = Pick<EachBatchPayload, 'batch' | 'resolveOffset' | 'heartbeat' | 'isRunning' | 'isStale'>;

/**
 * Runs work until it succeeds, with backoff. During an outage it retries without limit. After each other failure,
 * `shouldGiveUp` decides; it gets the number of such failures.
 */
type RetryWork = (
  work: () => Promise<void>,
  batch: Batch,
  shouldGiveUp: (failures: number) => boolean,
) => Promise<Retried<void>>;

/** Interval of heartbeats during work. kafkajs skips those that come before its own interval has passed. */
const HEARTBEAT_MS = 200;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };
const PAUSE_STEP_MS = 500;

export function createRetryWork({
  metrics,
  log,
  sleep = sleepFor,
}: {
  readonly metrics: ConsumerMetrics;
  readonly log: Logger;
  readonly sleep?: (ms: number) => Promise<unknown>;
}): RetryWork {
  /** Sends heartbeats during work. Otherwise, the group would give the partitions to another member. */
  async function withHeartbeats(work: () => Promise<void>, { heartbeat }: Batch): Promise<void> {
    const heartbeats = startInterval({
      everyMs: HEARTBEAT_MS,
      call: heartbeat,
      // Ignore failures: a rebalance shows up again at the heartbeat after the work.
      onError: (error) => log.debug({ err: error }, 'cannot send a heartbeat during work'),
    });
    try {
      await work();
    } finally {
      heartbeats.stop();
    }
  }

  /** Pauses in steps, to send heartbeats and to end early when the consumer stops. */
  async function pause(ms: number, { isRunning, heartbeat }: Batch): Promise<void> {
    for (let left = ms; left > 0 && isRunning(); left -= PAUSE_STEP_MS) {
      await sleep(Math.min(left, PAUSE_STEP_MS));
      await heartbeat();
    }
  }

  return async function retryWork(work, batch, shouldGiveUp) {
    const { topic, partition } = batch.batch;
    let workFailures = 0;
    return retry(() => withHeartbeats(work, batch), {
      backoff: BACKOFF,
      isStopped: () => !batch.isRunning() || batch.isStale(),
      shouldRetry(error) {
        metrics.failed(topic);
        if (!isOutage(error)) workFailures += 1;
        return isOutage(error) || !shouldGiveUp(workFailures);
      },
      async pause(ms, error) {
        log.error({ err: error, topic, partition, retry_in_ms: ms }, 'cannot handle messages, retrying');
        await pause(ms, batch);
      },
    });
  };
}
