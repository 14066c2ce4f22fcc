import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import { createSingleFlight } from '@survey/runtime/flow/memoize';
import type { FailedInsert } from '@survey/runtime/mongo/insert-batch';
import { createSharedCapacity } from '../rates/shared-capacity.ts';
import { failAsUnavailable, type Rejection } from '../responses/group-commit.ts';
import type { ResponseStore, ResponseWrite } from '../responses/response-store.ts';
import type { StartStopwatch } from '../stopwatch.ts';
import type { Entrance } from '../surveys/link-service.ts';
import type { LedgerStore } from './ledger-store.ts';
import {
  countsTowardLimits,
  limitsOf,
  type Outcome,
  type PendingResponse,
  toConflict,
  unlimitedScopesOf,
} from './limit.ts';

interface Dependencies {
  readonly store: Pick<ResponseStore, 'put'>;
  readonly seatCommit: Pick<SeatCommit, 'add'>;
  readonly ledgers: Pick<LedgerStore, 'markForRecount'>;
  readonly startStopwatch: StartStopwatch;
}

/** The survey and link of a response. They can be found again, to check that they are still open. */
export interface CheckedEntrance extends Entrance {
  /** Finds survey and link again. Throws if one of them is closed. */
  findAgain(): Promise<Entrance>;
  /** Milliseconds since survey and link were found. */
  ageMs(): number;
}

/** After this time, survey and link are found again directly before the write. Milliseconds. */
const RECENT_MS = 250;

/**
 * Stores a response. Returns `stored`, or the reason for not storing it, such as a limit without a free seat. Throws if
 * survey or link was closed while the response waited.
 */
export type Commit = (entrance: CheckedEntrance, write: Omit<ResponseWrite, 'recheck'>) => Promise<CommitOutcome>;

/**
 * A limit gives a survey or link a number of seats, one for each completed response. A ledger counts the used seats. A
 * completed response under a limit is stored only with a seat (`seatCommit`). Other responses need no seat.
 *
 * While a survey or link has no limit, its ledger misses responses. So each write without a limit marks the ledger. A
 * marked ledger is recounted from the stored responses before its next use.
 */
export function createCommit({ store, seatCommit, ledgers, startStopwatch }: Dependencies): Commit {
  return async (entrance, given) => {
    const { survey, link } = entrance;
    const limits = limitsOf(survey, link);
    let { ageMs } = entrance;
    const checkAgain = createSingleFlight(async (): Promise<void> => {
      const newAgeMs = startStopwatch();
      const { survey: again, link: linkAgain } = await entrance.findAgain();
      // The limits have changed. A retry of the client applies the new limits.
      if (!isDeepStrictEqual(limitsOf(again, linkAgain), limits))
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      ageMs = newAgeMs;
    });
    const recheck = () => (checkAgain.isRunning() || ageMs() >= RECENT_MS ? checkAgain() : undefined);
    const write = { ...given, recheck };
    const put = async () => ((await store.put(write)) ? 'stored' : toConflict(write));
    if (!countsTowardLimits(write.response)) return put();
    const unlimitedScopes = unlimitedScopesOf(survey, link);
    await ledgers.markForRecount(unlimitedScopes);
    const outcome = await (limits.length > 0 ? seatCommit.add({ ...write, limits }) : put());
    // A limit that was set during the write may have caused a recount without this response. So mark again.
    if (outcome === 'stored') await ledgers.markForRecount(unlimitedScopes);
    return outcome;
  };
}

type CommitOutcome = Exclude<Outcome, 'contested' | Rejection | FailedInsert>;

interface SeatCommitDependencies {
  readonly store: Pick<LedgerStore, 'admit'>;
  /** Size of the stored document in bytes. */
  readonly sizeOf: (pending: PendingResponse) => number;
  readonly metrics: BatcherMetrics;
}

/** Maximum time for which a response waits for seats that other writes hold. */
const MAX_WAIT_MS = 2_500;
const RETRY_MS = 20;
/**
 * Capacity of this process for responses that wait for a seat or are being written. Each survey and tenant can use only
 * a part, because a recount delays all responses of its survey.
 */
const CAPACITY = { items: 5_000, bytes: 64 * 1024 * 1024 };
/** Batches are small, because the ledger document contains one change for each response of a batch. */
const BATCH = { maxItems: 200, maxSize: 4 * 1024 * 1024 };

type SeatCommit = ReturnType<typeof createSeatCommit>;

export function createSeatCommit({ store, sizeOf, metrics }: SeatCommitDependencies) {
  const capacity = createSharedCapacity(CAPACITY);
  const batcher = createBatcher({
    flush: (pendingResponses: readonly PendingResponse[]) => failAsUnavailable(admit(pendingResponses)),
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
    /**
     * Resolves with `stored` once the response is durable, or with the outcome that prevented the write. Rejects with:
     * - `OVERLOADED` if too many responses of the survey, the tenant or the process are waiting.
     * - `UNAVAILABLE` if the write has an unknown result, or if the response was `contested` for too long.
     * - the error of `recheck`.
     */
    async add(pending: PendingResponse): Promise<CommitOutcome> {
      const waitUntil = performance.now() + MAX_WAIT_MS;
      for (;;) {
        const outcome = await batcher.add(pending);
        if (typeof outcome === 'object' && 'error' in outcome)
          throw outcome.kind === 'rejected' ? outcome.error : new AppError('INTERNAL', { cause: outcome.error });
        // `contested`: other writes hold the last seats and may release them, or a repeated check is slow.
        if (outcome !== 'contested') return outcome;
        if (performance.now() >= waitUntil) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
        // Retry in a later batch, so that this batch does not delay its other responses.
        await sleep(RETRY_MS);
      }
    },
    stop: batcher.stop,
  };
}
