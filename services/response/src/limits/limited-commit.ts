import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import { mapUnavailable } from '../responses/group-commit.ts';
import type { Outcome, PendingResponse } from './candidates.ts';
import type { LedgerStore } from './ledger-store.ts';

export type CommitOutcome = Exclude<Outcome, 'rejected' | 'contested'>;

/** Group commit of completed responses that need a seat. */
export interface LimitedCommit {
  /**
   * Resolves with `stored` once the response is durable, else with the outcome that prevented it. Rejects with
   * `OVERLOADED` if too many responses are waiting, with `UNAVAILABLE` if the response may or may not be stored.
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

const WAITING = { items: 5_000, size: 64 * 1024 * 1024 };
/** The ledger document contains all changes of a batch. */
const BATCH = { items: 200, size: 4 * 1024 * 1024 };

export function createLimitedCommit({ store, sizeOf, metrics }: Dependencies): LimitedCommit {
  const batcher = createBatcher({
    flush: (pendingResponses: readonly PendingResponse[]) => mapUnavailable(admit(pendingResponses)),
    keyOf: ({ response }) => response.surveyId,
    batch: { ...BATCH, sizeOf },
    waiting: WAITING,
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
      const outcome = await batcher.add(pending);
      if (outcome === 'rejected') throw new AppError('INTERNAL');
      if (outcome === 'contested') throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      return outcome;
    },
    stop: batcher.stop,
  };
}
