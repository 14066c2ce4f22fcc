import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import { createSharedCapacity } from '../rate-limits/shared-capacity.ts';
import { mapUnavailable, type Rejection } from '../responses/group-commit.ts';
import type { Outcome, PendingResponse } from './candidates.ts';
import type { LedgerStore } from './ledger-store.ts';

export type CommitOutcome = Exclude<Outcome, 'contested' | Rejection | FailedInsert>;

/** Group commit of completed responses that need a seat. */
export interface LimitedCommit {
  /**
   * Resolves with `stored` once the response is durable, else with the outcome that prevented it. Rejects with:
   * - `OVERLOADED` if too many responses of the survey, of the tenant or of all are waiting.
   * - `UNAVAILABLE` if the response may or may not be stored, or if other writes held the last seats for too long.
   * - the error of `recheck`.
   */
  add(pending: PendingResponse): Promise<CommitOutcome>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly store: Pick<LedgerStore, 'admit'>;
  /** Size of the stored document in bytes. */
  readonly sizeOf: (pending: PendingResponse) => number;
  readonly metrics: BatcherMetrics;
}

/** Maximum wait of a response for seats that other writes hold. */
const MAX_WAIT_MS = 2_500;
const RETRY_MS = 20;
/**
 * Responses with a limit that wait in this process, or are being written. Tenants and surveys share it: a survey whose
 * responses are recounted keeps its responses waiting.
 */
const WAITING = { items: 5_000, bytes: 64 * 1024 * 1024 };
/** Batches are small, because the ledger document contains all changes of a batch. */
const BATCH = { items: 200, size: 4 * 1024 * 1024 };

export function createLimitedCommit({ store, sizeOf, metrics }: Dependencies): LimitedCommit {
  const capacity = createSharedCapacity(WAITING);
  const batcher = createBatcher({
    flush: (pendingResponses: readonly PendingResponse[]) => mapUnavailable(admit(pendingResponses)),
    keyOf: ({ response }) => response.surveyId,
    batch: { ...BATCH, sizeOf },
    acquire: ({ response }, size) => capacity.acquire(response, size),
    // Concurrent batches of one survey would contend for its ledger.
    concurrency: 1,
    metrics,
  });

  async function admit(pendingResponses: readonly PendingResponse[]): Promise<readonly Outcome[]> {
    const [first] = pendingResponses;
    return first === undefined ? [] : store.admit(first.response, pendingResponses);
  }

  return {
    async add(pending) {
      const waitUntil = performance.now() + MAX_WAIT_MS;
      for (;;) {
        const outcome = await batcher.add(pending);
        if (typeof outcome === 'object' && 'error' in outcome)
          throw outcome.kind === 'rejected' ? outcome.error : new AppError('INTERNAL', { cause: outcome.error });
        if (outcome !== 'contested') return outcome;
        if (performance.now() >= waitUntil) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
        // Retry in a later batch, so that the other responses of this batch need not wait.
        await sleep(RETRY_MS);
      }
    },
    stop: batcher.stop,
  };
}
