import { setTimeout as sleepFor } from 'node:timers/promises';
import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import { type Retried, retry } from '../flow/retry.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { isOutage } from './outage.ts';

/** What work on a batch needs of kafkajs's payload. */
export type Batch = Pick<EachBatchPayload, 'batch' | 'resolveOffset' | 'heartbeat' | 'isRunning' | 'isStale'>;

/**
 * Tries work until it is done, with pauses that grow. An outage is waited for as long as it lasts; after a failure of
 * another kind, `isEnough` is asked with the number of those.
 */
type Attempt = (
  work: () => Promise<void>,
  batch: Batch,
  isEnough: (failures: number) => boolean,
) => Promise<Retried<void>>;

/** How often kafkajs may send a heartbeat during work; it sends one when its own interval has passed. */
const HEARTBEAT_MS = 200;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };
const PAUSE_STEP_MS = 500;

export function createAttempt({
  metrics,
  log,
  sleep = sleepFor,
}: {
  readonly metrics: ConsumerMetrics;
  readonly log: Logger;
  readonly sleep?: (ms: number) => Promise<unknown>;
}): Attempt {
  /** The group would take the partitions away from a member that is silent while it works. */
  async function withHeartbeats(work: () => Promise<void>, { heartbeat }: Batch): Promise<void> {
    const timer = setInterval(() => {
      // A rebalance comes up again at the heartbeat after the work, which cannot be interrupted.
      heartbeat().catch((error) => log.debug({ err: error }, 'heartbeat failed during work'));
    }, HEARTBEAT_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Waits in steps: the heartbeats go on, and a consumer that stops is not held up. */
  async function pause(ms: number, { isRunning, heartbeat }: Batch): Promise<void> {
    for (let left = ms; left > 0 && isRunning(); left -= PAUSE_STEP_MS) {
      await sleep(Math.min(left, PAUSE_STEP_MS));
      await heartbeat();
    }
  }

  return async function attempt(work, batch, isEnough) {
    const { topic, partition } = batch.batch;
    let failuresOfWork = 0;
    return retry(() => withHeartbeats(work, batch), {
      backoff: BACKOFF,
      isStopped: () => !batch.isRunning() || batch.isStale(),
      shouldRetry(error) {
        metrics.failed(topic);
        if (!isOutage(error)) failuresOfWork += 1;
        return isOutage(error) || !isEnough(failuresOfWork);
      },
      async pause(ms, error) {
        log.error({ err: error, topic, partition, retry_in_ms: ms }, 'work on messages failed, trying again');
        await pause(ms, batch);
      },
    });
  };
}
