import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { Logger } from 'pino';
import type { WriteFence } from '../responses/deleted-response-store.ts';
import type { Response } from '../responses/response.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import { HELD_STATES, isReferenced, type StoredFile } from './file.ts';
import type { FileStore } from './file-store.ts';

interface Dependencies {
  readonly store: FileStore;
  readonly responses: Pick<ResponseStore, 'find'>;
  readonly fence: WriteFence;
  readonly sealer: Pick<ResponseSealer, 'open'>;
  readonly clock: () => Date;
}

/** A file that a write claims or drops is settled after this time. */
export const CLAIMED_MS = 60_000;
/** Interval for settling a file that a response in progress no longer names. */
const REPLACED_MS = 60 * 60_000;

export type FileSettlement = ReturnType<typeof createFileSettlement>;

/** Settles files after an interruption: confirms, releases or destroys each file. */
export function createFileSettlement({ store, responses, fence, sealer, clock }: Dependencies) {
  async function findResponse({ tenantId, responseId }: StoredFile): Promise<Response | undefined> {
    const sealed = responseId === undefined ? undefined : await responses.find(tenantId, responseId);
    return sealed && sealer.open(sealed);
  }

  /**
   * Settles a file that a response holds. The stored response decides. A stalled process may still write the response.
   * If its write would contradict the decision, the fence makes the write fail (`WriteFence`).
   */
  async function settleHeld(file: StoredFile & { readonly responseId: string }): Promise<void> {
    const response = await findResponse(file);
    if (response !== undefined && isReferenced(response.data, file)) {
      // A late write contradicts the confirmation only if it drops the file.
      if (file.state === 'dropping' && !(await fence.blockChange(response))) return;
      return store.confirm(file);
    }
    // The respondent may name the file again.
    if (response?.status === 'in_progress') return store.postpone(file, new Date(clock().getTime() + REPLACED_MS));
    const blocking = response === undefined ? fence.blockInsert(file.responseId) : fence.blockChange(response);
    // The response was written concurrently. Settle the file at a later time.
    if (!(await blocking)) return;
    // No stored response has named a claimed file, so another response may. Destroy other files.
    return file.state === 'claimed' ? store.releaseFile(file) : store.destroy(file, clock());
  }

  return {
    /** Whether the response that claimed the file is stored and names the file. */
    async isAttached(file: StoredFile): Promise<boolean> {
      const response = await findResponse(file);
      return response !== undefined && isReferenced(response.data, file);
    },

    /** Whether the response that claimed the file is stored. */
    isResponseStored: async (file: StoredFile): Promise<boolean> => (await findResponse(file)) !== undefined,

    settle(file: StoredFile): Promise<void> {
      const { state, responseId } = file;
      const isHeld = HELD_STATES.includes(state) && responseId !== undefined;
      return isHeld ? settleHeld({ ...file, responseId }) : store.destroy(file, clock());
    },
  };
}

interface FileSweeperDependencies {
  readonly store: Pick<FileStore, 'findDue' | 'postpone'>;
  readonly settlement: Pick<FileSettlement, 'settle'>;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 10_000;
const BATCH = 100;
/** Delay after a failure, so that a file that cannot be settled does not block the others. */
const POSTPONED_MS = 10 * 60_000;

/** Settles or deletes due files. The lease only saves work: each write checks that the file has not changed. */
export function createFileSweeper({ store, settlement, lease, clock, log }: FileSweeperDependencies): Worker {
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
