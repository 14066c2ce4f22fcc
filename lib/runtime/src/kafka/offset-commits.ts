import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import { createPeriodicWorker } from '../flow/periodic-worker.ts';
import type { Worker } from '../flow/worker.ts';

/** Offsets of all partitions of the consumer, as kafkajs passes them with a batch. */
type Progress = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary' | 'isRunning'>;

/** Commits offsets in the background, so that batches do not wait for commits. */
export interface OffsetCommits extends Worker {
  /** Runs the work on a batch. All batches of the consumer must go through this. */
  runBatch(batch: Progress, work: () => Promise<void>): Promise<void>;
}

/** Interval of commits. After a crash, the messages of this time may be repeated. */
const COMMIT_MS = 1_000;

export function createOffsetCommits(log: Logger): OffsetCommits {
  let latest: Progress | undefined;
  /**
   * The last commit. Commits run one at a time: an older commit that arrives late would reset the offsets of the group.
   */
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

    async runBatch(batch, work) {
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

    async stop() {
      await worker.stop();
      await commitNow();
    },
  };
}
