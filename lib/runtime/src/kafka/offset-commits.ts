import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import { createPeriodicWorker } from '../flow/periodic-worker.ts';
import type { Worker } from '../flow/worker.ts';

/** What kafkajs tells of its offsets with a batch, of all partitions of the consumer. */
type Progress = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary' | 'isRunning'>;

/** Tells Kafka how far a consumer is, while it works: no batch waits until that is stored. */
export interface OffsetCommits extends Worker {
  /** The batches of the consumer go through this. */
  during(batch: Progress, work: () => Promise<void>): Promise<void>;
}

/** What may come again when a process is killed. */
const COMMIT_MS = 1_000;

export function createOffsetCommits(log: Logger): OffsetCommits {
  let latest: Progress | undefined;
  /** One at a time: an older one that arrives later would take the group back. */
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
      log.info({ err: error }, 'offsets were not committed at the end: what was handled last may come again');
    }
  }

  const worker = createPeriodicWorker({
    everyMs: COMMIT_MS,
    work: commit,
    failure: 'offsets could not be committed',
    log,
  });

  return {
    start: worker.start,

    async during(batch, work) {
      latest = batch;
      let isDone = false;
      try {
        await work();
        isDone = true;
      } finally {
        // It stops, or has to give partitions up: others are to go on where it was.
        if (!isDone || !batch.isRunning()) await commitNow();
      }
    },

    async stop() {
      await worker.stop();
      await commitNow();
    },
  };
}
