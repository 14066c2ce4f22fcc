import { createPeriodicWorker } from '@survey/runtime/flow/loop';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { bytesOf, createCommitMetrics } from '../responses/group-commit.ts';
import type { ResponseApi } from '../responses/module.ts';
import { type ResponseDocument, toDocument } from '../responses/response-document-store.ts';
import { randomSamplingKey } from '../responses/sample-store.ts';
import { createStopwatch } from '../stopwatch.ts';
import { createCapacity } from './capacity.ts';
import { createCommit, createSeatCommit } from './commit.ts';
import { createLedgerStore, type LedgerDocument, ledgerIndexes } from './ledger-store.ts';

type Dependencies = Pick<ResponseApi, 'store' | 'windows' | 'onEvent'>;

const INTERVAL_MS = 2_000;
const IDLE_INTERVAL_MS = 5_000;
/** An entry of this age is abandoned, because a write takes only milliseconds. */
const ABANDONED_AFTER_MS = 5_000;

/**
 * Enforces the response limits of surveys and links. A completed response takes a seat, and ledgers count the seats.
 * `commit` stores responses within the limits. `capacity` rejects responses to full surveys early.
 */
export function createSeatModule(runtime: ServiceRuntime, { store, windows, onEvent }: Dependencies) {
  const { registry, log, clock, now } = runtime;
  const random = Math.random;
  const startStopwatch = createStopwatch(runtime);
  const ledgers = createLedgerStore({
    ledgers: runtime.collection<LedgerDocument>('ledgers'),
    responses: runtime.collection<ResponseDocument>('responses'),
    windows,
    random,
    onEvent,
    clock,
    startStopwatch,
  });
  const seatCommit = createSeatCommit({
    store: ledgers,
    // All sampling keys have the same size.
    sizeOf: ({ response, events }) => bytesOf(toDocument(response, events, randomSamplingKey(random))),
    metrics: createCommitMetrics(registry, 'limited'),
  });
  /** Settles the ledger entries of killed and stalled processes, and continues long recounts. */
  const sweeper = createPeriodicWorker({
    everyMs: INTERVAL_MS,
    idleEveryMs: IDLE_INTERVAL_MS,
    failure: 'cannot settle ledgers of response limits',
    lease: runtime.lease('settling ledgers'),
    log,
    async work() {
      const hasSettled = await ledgers.settleBatch(new Date(clock().getTime() - ABANDONED_AFTER_MS));
      return (await ledgers.continueRecounts()) || hasSettled;
    },
  });
  return {
    indexes: { ledgers: ledgerIndexes },
    stoppedFirst: [sweeper],
    stoppedLast: [seatCommit],
    provides: {
      ledgers,
      commit: createCommit({ store, seatCommit, ledgers, startStopwatch }),
      capacity: createCapacity({ ledgers, now }),
    },
  };
}
