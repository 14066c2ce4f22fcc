import { createPeriodicWorker } from '@survey/runtime/flow/periodic-worker';
import type { Worker } from '@survey/runtime/flow/worker';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { StoredFile } from './file.ts';
import type { FileSettlement } from './file-settlement.ts';
import type { FileStore } from './file-store.ts';

interface Dependencies {
  readonly store: Pick<FileStore, 'findDue' | 'postpone'>;
  readonly settlement: Pick<FileSettlement, 'settle'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10_000;
const BATCH = 100;
/** Delay before a file that cannot be settled is tried again, so that it does not block others. */
const POSTPONED_MS = 10 * 60_000;

/**
 * Deletes files that no answer names and settles interrupted operations, on one replica at a time. The lease only saves
 * work: each write checks that the file has not changed since it was read.
 */
export function createFileSweeper({ store, settlement, lease, clock, log }: Dependencies): Worker {
  async function settle(file: StoredFile): Promise<void> {
    try {
      await settlement.settle(file);
    } catch (error) {
      log.warn({ err: error, file_id: file.id }, 'cannot settle a file, will retry');
      await store.postpone(file, new Date(clock().getTime() + POSTPONED_MS));
    }
  }

  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot settle files',
    lease,
    log,
    async work(isStopped) {
      for (;;) {
        const due = await store.findDue(clock(), BATCH);
        for (const file of due) {
          if (isStopped() || !(await lease.acquire())) return;
          await settle(file);
        }
        if (due.length < BATCH) return;
      }
    },
  });
}
