import { setTimeout as sleepFor } from 'node:timers/promises';
import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { isOutage } from './outage.ts';

/** What work on a batch needs of kafkajs's payload. */
export type Batch = Pick<EachBatchPayload, 'batch' | 'resolveOffset' | 'heartbeat' | 'isRunning' | 'isStale'>;

/** How it ended. `gone`: the consumer stops, or has to give the partition up; others will do the work. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Tries work until it is done, with pauses that grow. An outage is waited for as long as it lasts; after a failure of
 * another kind, `isEnough` is asked with the number of those.
 */
export type Attempt = (
  work: () => Promise<void>,
  batch: Batch,
  isEnough: (failures: number) => boolean,
) => Promise<Outcome>;

/** How often kafkajs may send a heartbeat during work; it sends one when its own interval has passed. */
const HEARTBEAT_MS = 200;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
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
    let pauseMs = FIRST_PAUSE_MS;
    let failures = 0;
    while (batch.isRunning() && !batch.isStale()) {
      try {
        await withHeartbeats(work, batch);
        return { kind: 'done' };
      } catch (error) {
        metrics.failed(topic);
        if (!isOutage(error)) {
          failures += 1;
          if (isEnough(failures)) return { kind: 'failed', error };
        }
        log.error({ err: error, topic, partition, retry_in_ms: pauseMs }, 'work on messages failed, trying again');
      }
      await pause(pauseMs, batch);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    return { kind: 'gone' };
  };
}
