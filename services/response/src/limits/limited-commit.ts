import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import { mapUnavailable } from '../responses/group-commit.ts';
import type { Applicant, Outcome } from './admission.ts';
import type { LedgerStore } from './ledger-store.ts';

type Placed = Exclude<Outcome, 'refused' | 'contested'>;

/** Group commit of completed responses that need a seat. */
export interface LimitedCommit {
  /**
   * Resolves when the response is durable, or with the reason why it is not stored, such as the limit that is reached.
   * Rejects with `OVERLOADED` when too many are waiting, and with `UNAVAILABLE` when it may be stored or not.
   */
  add(applicant: Applicant): Promise<Placed>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly store: Pick<LedgerStore, 'admit'>;
  /** Size of what is stored of an applicant in bytes. */
  readonly sizeOf: (applicant: Applicant) => number;
  readonly metrics: BatcherMetrics;
}

const WAITING = { items: 5_000, size: 64 * 1024 * 1024 };
/** A batch on its way is a single document. */
const BATCH = { items: 200, size: 4 * 1024 * 1024 };

export function createLimitedCommit({ store, sizeOf, metrics }: Dependencies): LimitedCommit {
  const batcher = createBatcher({
    flush: (applicants: readonly Applicant[]) => mapUnavailable(admit(applicants)),
    keyOf: ({ response }) => response.surveyId,
    batch: { ...BATCH, sizeOf },
    waiting: WAITING,
    // Batches of one survey would contend for its ledger.
    concurrency: 1,
    metrics,
  });

  async function admit(applicants: readonly Applicant[]): Promise<readonly Outcome[]> {
    const [first] = applicants;
    return first === undefined ? [] : store.admit(first.response, applicants);
  }

  return {
    async add(applicant) {
      const outcome = await batcher.add(applicant);
      if (outcome === 'refused') throw new AppError('INTERNAL');
      if (outcome === 'contested') throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      return outcome;
    },
    stop: batcher.stop,
  };
}
