import type { Envelope } from '@survey/runtime/crypto/envelope';
import { createPeriodicWorker } from '@survey/runtime/flow/loop';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { createStopwatch } from '../stopwatch.ts';
import { createResumeTokens } from './progress.ts';
import { createProgressService } from './progress-service.ts';
import { createProgressStore, progressIndex } from './progress-store.ts';

interface Dependencies
  extends Omit<Parameters<typeof createProgressService>[0], 'progressStore' | 'tokens' | 'startStopwatch'> {
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
  readonly onEvent: () => void;
  readonly envelope: Envelope;
  /** Hours after the last save until a response is abandoned. */
  readonly abandonedAfterHours: number;
}

const INTERVAL_MS = 60_000;
const HOUR_MS = 60 * 60_000;

/** Lets respondents save and complete responses in progress, and marks inactive ones as abandoned. */
export function createProgressModule(runtime: ServiceRuntime, dependencies: Dependencies) {
  const { log, clock } = runtime;
  const collection = runtime.collection<ResponseDocument>('responses');
  const { windows, onEvent } = dependencies;
  const progressStore = createProgressStore({ collection, windows, onEvent });
  const tokens = createResumeTokens(dependencies.envelope);
  const startStopwatch = createStopwatch(runtime);
  const lease = runtime.lease('abandoned responses');
  // The lease only saves work. Two replicas would do no harm, because each write checks the status and the last save.
  const abandonment = createPeriodicWorker({
    everyMs: INTERVAL_MS,
    failure: 'cannot mark responses as abandoned',
    lease,
    log,
    async work(isStopped) {
      const before = new Date(clock().getTime() - dependencies.abandonedAfterHours * HOUR_MS);
      while ((await progressStore.abandonBatch(before, clock())) && !isStopped() && (await lease.acquire()));
    },
  });
  return {
    indexes: { responses: [progressIndex] },
    stoppedFirst: [abandonment],
    provides: { progress: createProgressService({ ...dependencies, progressStore, tokens, startStopwatch }), tokens },
  };
}
