import { createStopwatch } from '@survey/runtime/flow/stopwatch';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createLimitedCommitMetrics } from '../responses/commit-metrics.ts';
import { bytesOf } from '../responses/document-size.ts';
import type { ResponseApi } from '../responses/module.ts';
import { type ResponseDocument, toDocument } from '../responses/response-store.ts';
import { randomSamplingKey } from '../responses/sample-cells.ts';
import { createCapacity } from './capacity.ts';
import { createCommit } from './commit.ts';
import { createLedgerStore, type LedgerDocument, ledgerIndexes } from './ledger-store.ts';
import { createLedgerSweeper } from './ledger-sweeper.ts';
import { createLimitedCommit } from './limited-commit.ts';

type Dependencies = Pick<ResponseApi, 'store' | 'windows' | 'onEvent'>;

export type LimitApi = ReturnType<typeof createLimitModule>['api'];

export function createLimitModule(runtime: ServiceRuntime, { store, windows, onEvent }: Dependencies) {
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
  const limited = createLimitedCommit({
    store: ledgers,
    sizeOf: ({ response, events }) => bytesOf(toDocument(response, events, randomSamplingKey(random))),
    metrics: createLimitedCommitMetrics(registry),
  });
  const sweeper = createLedgerSweeper({ store: ledgers, lease: runtime.lease('settling ledgers'), clock, log });
  return {
    indexes: { ledgers: ledgerIndexes },
    pollers: [sweeper],
    workers: [limited],
    api: {
      ledgers,
      commit: createCommit({ store, limited, ledgers, startStopwatch }),
      capacity: createCapacity({ ledgers, now }),
    },
  };
}
