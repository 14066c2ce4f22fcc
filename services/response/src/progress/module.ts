import type { Envelope } from '@survey/runtime/crypto/envelope';
import { createPeriodicWorker, type Worker } from '@survey/runtime/flow/loop';
import type { Lease } from '@survey/runtime/mongo/lease';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { createStopwatch } from '../stopwatch.ts';
import { createResumeTokens } from './progress.ts';
import { createProgressService } from './progress-service.ts';
import { createProgressStore, type ProgressStore, progressIndex } from './progress-store.ts';

interface Dependencies
  extends Omit<Parameters<typeof createProgressService>[0], 'progressStore' | 'tokens' | 'startStopwatch'> {
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly onEvent: () => void;
  readonly envelope: Envelope;
  readonly abandonedAfterHours: number;
}

/** Responses in progress: respondents save and complete them, inactive ones are abandoned. */
export function createProgressModule(runtime: ServiceRuntime, dependencies: Dependencies) {
  const { log, clock } = runtime;
  const collection = runtime.collection<ResponseDocument>('responses');
  const progressStore = createProgressStore({ ...dependencies, collection });
  const tokens = createResumeTokens(dependencies.envelope);
  const startStopwatch = createStopwatch(runtime);
  const abandonment = createAbandonment({
    store: progressStore,
    afterHours: dependencies.abandonedAfterHours,
    lease: runtime.lease('abandoned responses'),
    clock,
    log,
  });
  return {
    indexes: { responses: [progressIndex] },
    pollers: [abandonment],
    api: { progress: createProgressService({ ...dependencies, progressStore, tokens, startStopwatch }), tokens },
  };
}

interface AbandonmentDependencies {
  readonly store: Pick<ProgressStore, 'abandonBatch'>;
  /** Hours after the last save until a response is abandoned. */
  readonly afterHours: number;
  readonly lease: Lease;
  readonly clock: () => Date;
  readonly log: Logger;
}

const INTERVAL_MS = 60_000;
const HOUR_MS = 60 * 60_000;

/**
 * Marks inactive responses as abandoned, on one replica at a time. The lease only saves work. Two replicas would do no
 * harm, because the write checks the status and the time of the last save.
 */
function createAbandonment({ store, afterHours, lease, clock, log }: AbandonmentDependencies): Worker {
  return createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot mark responses as abandoned',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - afterHours * HOUR_MS);
      while ((await store.abandonBatch(before, clock())) && !isStopped() && (await lease.acquire()));
    },
  });
}
