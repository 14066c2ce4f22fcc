import { AppError } from '@survey/runtime/errors/app-error';
import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import type { Worker } from '@survey/runtime/service/service-app';
import type { CommitMetrics } from './commit-metrics.ts';
import { takeBatch } from './take-batch.ts';

/** Turns concurrent inserts into few writes, and answers each caller on its own. */
export interface GroupCommit<D> extends Worker {
  /**
   * Resolves when the document is durable, or was there already. Rejects with `OVERLOADED` when too many are waiting,
   * and with `UNAVAILABLE` when it may be stored or not.
   */
  add(document: D): Promise<'inserted' | 'duplicate'>;
}

interface Dependencies<D> {
  readonly insert: (documents: readonly D[]) => Promise<readonly InsertOutcome[]>;
  /** Size of a document in bytes. */
  readonly sizeOf: (document: D) => number;
  readonly metrics: CommitMetrics;
}

interface Waiting<D> {
  readonly document: D;
  readonly bytes: number;
  readonly resolve: (outcome: 'inserted' | 'duplicate') => void;
  readonly reject: (error: AppError) => void;
  readonly stopTimer: () => void;
}

const MAX_WAITING = 10_000;
/** What waits, together: documents are large now and then. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const BATCH = { items: 500, bytes: 4 * 1024 * 1024 };
const MAX_IN_FLIGHT = 2;
/** How long after one write the next begins, unless it is full: each costs the service and MongoDB what several documents do. */
const APART_MS = 10;

export function createGroupCommit<D>({ insert, sizeOf, metrics }: Dependencies<D>): GroupCommit<D> {
  const queue: Waiting<D>[] = [];
  const inFlight = new Set<Promise<void>>();
  let waitingBytes = 0;
  /** When the last write began, and how many it carries. */
  let last = { at: Number.NEGATIVE_INFINITY, size: 0 };
  let isScheduled = false;
  let isStopped = false;

  /**
   * Begins the writes that are full. What is left gathers for a while, unless nobody else seems to be there: the one before
   * came alone, and has its answer.
   */
  function proceed(): void {
    while (isFull() && inFlight.size < MAX_IN_FLIGHT) begin();
    if (queue.length === 0 || isScheduled || inFlight.size >= MAX_IN_FLIGHT) return;
    isScheduled = true;
    const isAlone = inFlight.size === 0 && last.size <= 1;
    const restMs = isAlone ? 0 : last.at + APART_MS - performance.now();
    if (restMs <= 0) setImmediate(beginAsScheduled);
    else setTimeout(beginAsScheduled, restMs);
  }

  function isFull(): boolean {
    if (isStopped) return queue.length > 0;
    return queue.length >= BATCH.items || waitingBytes >= BATCH.bytes;
  }

  function beginAsScheduled(): void {
    isScheduled = false;
    if (queue.length > 0 && inFlight.size < MAX_IN_FLIGHT) begin();
    proceed();
  }

  function begin(): void {
    const batch = takeBatch(queue, BATCH);
    last = { at: performance.now(), size: batch.length };
    waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    metrics.setWaiting(queue.length);
    const flight: Promise<void> = commit(batch).finally(() => {
      inFlight.delete(flight);
      proceed();
    });
    inFlight.add(flight);
  }

  async function commit(batch: readonly Waiting<D>[]): Promise<void> {
    metrics.observeBatch(batch.length);
    for (const { stopTimer } of batch) stopTimer();
    try {
      const outcomes = await insert(batch.map(({ document }) => document));
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (cause) {
      const error = new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause });
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add(document) {
      if (isStopped) return Promise.reject(new AppError('UNAVAILABLE', { retryAfterSeconds: 1 }));
      const bytes = sizeOf(document);
      if (queue.length >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) {
        metrics.countShed();
        return Promise.reject(new AppError('OVERLOADED', { retryAfterSeconds: 1 }));
      }
      waitingBytes += bytes;
      return new Promise((resolve, reject) => {
        queue.push({ document, bytes, resolve, reject, stopTimer: metrics.startTimer() });
        metrics.setWaiting(queue.length);
        proceed();
      });
    },

    start() {},

    async stop() {
      isStopped = true;
      proceed();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

function settle<D>({ resolve, reject }: Waiting<D>, outcome: InsertOutcome | undefined): void {
  if (outcome?.kind === 'inserted' || outcome?.kind === 'duplicate') resolve(outcome.kind);
  else reject(new AppError('INTERNAL', { cause: outcome?.error }));
}
