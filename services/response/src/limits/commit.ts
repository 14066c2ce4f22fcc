import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@survey/runtime/errors/app-error';
import { createSingleFlight } from '@survey/runtime/flow/single-flight';
import type { StartStopwatch } from '@survey/runtime/flow/stopwatch';
import type { Entrance } from '../links/enter.ts';
import type { Recheck } from '../responses/group-commit.ts';
import type { ResponseStore, ResponseWrite } from '../responses/response-service.ts';
import { toTaken } from './candidates.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Limit, limitsOf, takesSeat, unlimitedScopesOf } from './limit.ts';
import type { CommitOutcome, LimitedCommit } from './limited-commit.ts';

interface Dependencies {
  readonly store: Pick<ResponseStore, 'put'>;
  readonly limited: Pick<LimitedCommit, 'add'>;
  readonly ledgers: Pick<LedgerStore, 'markForRecount'>;
  readonly startStopwatch: StartStopwatch;
}

/** The survey and the link that a response comes through, and whether they still accept it. */
export interface Channel extends Entrance {
  /** Finds survey and link again. Throws if one of them accepts no more responses. */
  enter(): Promise<Entrance>;
  /** Milliseconds since survey and link were found. */
  ageMs(): number;
}

/** A response that was checked this long ago is checked again directly before its write. Milliseconds. */
const RECENT_MS = 250;

/**
 * Stores a response. Returns `stored`, or the reason for not storing it, such as a limit without a free seat. Throws if
 * the channel was closed while the response waited.
 */
export type Commit = (channel: Channel, write: Omit<ResponseWrite, 'recheck'>) => Promise<CommitOutcome>;

/** A completed response to which a limit applies is stored only with a seat. All other responses need no seat. */
export function createCommit({ store, limited, ledgers, startStopwatch }: Dependencies): Commit {
  /** Throws `UNAVAILABLE` if the limits have changed: the client tries again, and gets a seat within the new ones. */
  function createRecheck({ enter, ageMs: firstAgeMs }: Channel, limits: readonly Limit[]): Recheck {
    let ageMs = firstAgeMs;
    const check = createSingleFlight(async (): Promise<void> => {
      const newAgeMs = startStopwatch();
      const { survey, link } = await enter();
      if (!isDeepStrictEqual(limitsOf(survey, link), limits))
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
      ageMs = newAgeMs;
    });
    return () => (check.isRunning() || ageMs() >= RECENT_MS ? check() : undefined);
  }

  return async (channel, given) => {
    const { survey, link } = channel;
    const limits = limitsOf(survey, link);
    const write = { ...given, recheck: createRecheck(channel, limits) };
    const put = async () => ((await store.put(write)) ? 'stored' : toTaken(write));
    if (!takesSeat(write.response)) return put();
    const unlimited = unlimitedScopesOf(survey, link);
    await ledgers.markForRecount(unlimited);
    const outcome = await (limits.length > 0 ? limited.add({ ...write, limits }) : put());
    // If the write took long, a count may have missed the response.
    if (outcome === 'stored') await ledgers.markForRecount(unlimited);
    return outcome;
  };
}
