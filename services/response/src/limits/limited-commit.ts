import { AppError } from '@survey/runtime/errors/app-error';
import type { Worker } from '@survey/runtime/service/service-app';
import type { CommitMetrics } from '../responses/commit-metrics.ts';
import { takeBatch } from '../responses/take-batch.ts';
import type { ResponsesOf } from '../responses/write-window-store.ts';
import type { Applicant, Outcome } from './admission.ts';
import type { LedgerStore } from './ledger-store.ts';

type Placed = Exclude<Outcome, 'refused' | 'contested'>;

/** Stores completed responses that need a seat. Those to one survey go in one batch after the other. */
export interface LimitedCommit extends Worker {
  /**
   * Resolves when the response is durable, or with the reason why it is not stored, such as the limit that is reached.
   * Rejects with `OVERLOADED` when too many are waiting, and with `UNAVAILABLE` when it may be stored or not.
   */
  add(applicant: Applicant): Promise<Placed>;
}

interface Dependencies {
  readonly store: Pick<LedgerStore, 'admit'>;
  /** Size of what is stored of an applicant in bytes. */
  readonly sizeOf: (applicant: Applicant) => number;
  readonly metrics: CommitMetrics;
}

interface Waiting {
  readonly applicant: Applicant;
  readonly bytes: number;
  readonly resolve: (outcome: Placed) => void;
  readonly reject: (error: AppError) => void;
  readonly stopTimer: () => void;
}

const MAX_WAITING = 5_000;
/** What waits, together: responses are large now and then. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** While it is on its way it is a single document. */
const BATCH = { items: 200, bytes: 4 * 1024 * 1024 };

export function createLimitedCommit({ store, sizeOf, metrics }: Dependencies): LimitedCommit {
  /** Who waits for their turn, by survey; a survey is here while a batch of it is on its way. */
  const queues = new Map<string, Waiting[]>();
  const running = new Set<Promise<void>>();
  let waitingCount = 0;
  let waitingBytes = 0;
  let isStopped = false;

  function setWaiting(count: number, bytes: number): void {
    waitingCount = count;
    waitingBytes = bytes;
    metrics.setWaiting(count);
  }

  function start(survey: ResponsesOf, queue: Waiting[]): void {
    const run: Promise<void> = work(survey, queue).finally(() => running.delete(run));
    running.add(run);
  }

  async function work(survey: ResponsesOf, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue, BATCH);
      const bytes = batch.reduce((sum, waiting) => sum + waiting.bytes, 0);
      setWaiting(waitingCount - batch.length, waitingBytes - bytes);
      await commit(survey, batch);
    }
    queues.delete(survey.surveyId);
  }

  async function commit(survey: ResponsesOf, batch: readonly Waiting[]): Promise<void> {
    metrics.observeBatch(batch.length);
    for (const { stopTimer } of batch) stopTimer();
    try {
      const outcomes = await store.admit(
        survey,
        batch.map(({ applicant }) => applicant),
      );
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (cause) {
      const error = new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause });
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add(applicant) {
      if (isStopped) return Promise.reject(new AppError('UNAVAILABLE', { retryAfterSeconds: 1 }));
      const bytes = sizeOf(applicant);
      if (waitingCount >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) {
        metrics.countShed();
        return Promise.reject(new AppError('OVERLOADED', { retryAfterSeconds: 1 }));
      }
      setWaiting(waitingCount + 1, waitingBytes + bytes);
      return new Promise((resolve, reject) => {
        const waiting = { applicant, bytes, resolve, reject, stopTimer: metrics.startTimer() };
        const { tenantId, surveyId } = applicant.response;
        const queue = queues.get(surveyId);
        if (queue !== undefined) {
          queue.push(waiting);
          return;
        }
        const first = [waiting];
        queues.set(surveyId, first);
        start({ tenantId, surveyId }, first);
      });
    },

    start() {},

    async stop() {
      isStopped = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function settle({ resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  if (outcome === undefined || outcome === 'refused') reject(new AppError('INTERNAL'));
  else if (outcome === 'contested') reject(new AppError('UNAVAILABLE', { retryAfterSeconds: 1 }));
  else resolve(outcome);
}
