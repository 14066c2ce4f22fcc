import type { Worker } from '@survey/runtime/service/service-app';
import { createWaiter } from '@survey/runtime/service/waiter';
import type { Logger } from 'pino';
import type { Import } from './import.ts';
import { endEvent } from './import-events.ts';
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
  const waiter = createWaiter();
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    const time = clock();
    for (const lost of await store.findRunning(new Date(time.getTime() - LONGEST_IMPORT_MS), PAGE)) {
      const report = toReport(lost, { questions: 0, warnings: [], outcomes: [], failure: INTERRUPTED });
      await store.end(lost, report, time, endEvent(lost, report, time, ''));
      log.warn({ tenant_id: lost.tenantId, import_id: lost.id }, 'an import was interrupted, it counts as failed');
    }
  }

  async function run(): Promise<void> {
    while (!waiter.isStopped()) {
      try {
        await sweep();
      } catch (error) {
        log.warn({ err: error }, 'interrupted imports could not be ended, trying again');
      }
      await waiter.pause(PAUSE_MS);
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      waiter.stop();
      await running;
    },
  };
}
