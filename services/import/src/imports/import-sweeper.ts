import { createPeriodicWorker } from '@survey/runtime/service/periodic';
import type { Worker } from '@survey/runtime/service/service-app';
import type { Logger } from 'pino';
import type { Import } from './import.ts';
import { endEvents } from './import-events.ts';
import type { ImportStore } from './import-service.ts';
import { toReport } from './report.ts';

/** Imports of all tenants that have not ended. */
export interface RunningImports {
  /** The oldest first. */
  findRunning(startedBefore: Date, limit: number): Promise<readonly Import[]>;
}

interface Dependencies {
  readonly store: RunningImports & Pick<ImportStore, 'end'>;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** Longer than an import can take: each of its batches has a deadline, and the first one that fails is the last one. */
const LONGEST_IMPORT_MS = 60 * 60_000;
const PAGE = 100;
const PAUSE_MS = 60_000;
const INTERRUPTED = {
  code: 'INTERRUPTED',
  detail: 'The import was interrupted; what it had stored by then is there',
};

/** Ends imports whose process was lost. Replicas may do so at the same time: an import ends once. */
export function createImportSweeper({ store, clock, log }: Dependencies): Worker {
  async function sweep(): Promise<void> {
    const time = clock();
    for (const lost of await store.findRunning(new Date(time.getTime() - LONGEST_IMPORT_MS), PAGE)) {
      const report = toReport(lost, { questions: 0, warnings: [], outcomes: [], failure: INTERRUPTED });
      await store.end(lost, report, time, endEvents(lost, report, { time, requestId: '', traceparent: '' }));
      log.warn({ tenant_id: lost.tenantId, import_id: lost.id }, 'an import was interrupted, it counts as failed');
    }
  }

  return createPeriodicWorker({
    everyMs: PAUSE_MS,
    work: sweep,
    what: 'interrupted imports could not be ended',
    log,
  });
}
