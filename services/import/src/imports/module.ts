import { topics } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { startAtZero } from '@survey/runtime/telemetry/metrics';
import { type Backlog, measureBacklog, type Reporting } from '@survey/runtime/telemetry/reported-gauge';
import { Counter } from 'prom-client';
import { v7 } from 'uuid';
import { createReading, type ReadingKind, type ReadingOutcome } from '../reading/reading.ts';
import { createResponseClient } from '../responses/response-client.ts';
import type { Spooling } from '../staging/spool.ts';
import type { Staging } from '../staging/staged-file.ts';
import { createSurveyClient } from '../surveys/survey-client.ts';
import type { ImportDocument } from './import-document.ts';
import { createImportErrorStore, type ImportErrorsDocument, importErrorIndexes } from './import-error-store.ts';
import { createImportRunner } from './import-runner.ts';
import { createImportService } from './import-service.ts';
import { createImportStore, importIndexes } from './import-store.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { createPreparation } from './prepare-import.ts';
import type { Report } from './report.ts';
import { createImportRun } from './run-import.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly response: ServiceConnection;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly staging: Staging;
  readonly spooling: Spooling;
  readonly checkMessage: MessageCheck;
  readonly importLeaseMs: number;
}

/** Imports files, within a call or by a job. */
export function createImportModule(runtime: ServiceRuntime, needs: Dependencies) {
  const { tenants, staging, spooling, checkMessage, importLeaseMs: leaseMs } = needs;
  const { log, clock, now } = runtime;
  const newId = v7;
  const collection = runtime.collection<ImportDocument>('imports');
  const relay = runtime.relay(systemScope(collection));
  const store = createImportStore({ collection, onEvent: relay.wake });
  const errors = createImportErrorStore({
    collection: runtime.collection<ImportErrorsDocument>('import_errors'),
    clock,
  });
  const surveys = createSurveyClient(needs.survey);
  const metrics = measureImports({ imports: store, clock, ...runtime.reporting });
  const reading = createReading({ log, now, onEnd: metrics.read });
  const responses = createResponseClient(needs.response);
  const prepare = createPreparation({ reading, surveys, checkMessage });
  const run = createImportRun({ store, errors, surveys, responses, metrics, clock, now });
  const startRenewal = createLeaseRenewal({ store, clock, leaseMs, log });
  const shared = { staging, spooling, prepare, run, startRenewal, tenants, clock, now, newId, leaseMs, log };
  const createRunner = (claimImport: typeof store.claim) => createImportRunner({ ...shared, claimImport });
  // Jobs can take hours, so there are three runners. The first takes any job. The second takes jobs of tenants without
  // a running import. The third only ends imports.
  const runners = [createRunner(store.claim), createRunner(store.claimOfIdleTenant), createRunner(store.claimEnding)];
  return {
    indexes: { imports: [...importIndexes, outboxIndex], import_errors: importErrorIndexes },
    topics: [topics.import],
    stoppedFirst: runners,
    // Calls read files until they end.
    stoppedLast: [reading, relay],
    provides: createImportService({
      ...shared,
      reading,
      store,
      errors,
      surveys,
      databaseTime: async () => (await runtime.mongo.db.command({ hello: 1 }))['localTime'] as Date,
      onDue() {
        for (const runner of runners) runner.wake();
      },
    }),
  };
}

const ROW_OUTCOMES = ['imported', 'skipped', 'failed', 'left_out'] as const;
const READING_KINDS: readonly ReadingKind[] = ['call', 'job'];
const READING_OUTCOMES: readonly ReadingOutcome[] = ['done', 'failed', 'too_complex'];
const ENDINGS: readonly Report['status'][] = ['completed', 'failed', 'cancelled'];

interface MetricDependencies extends Reporting {
  readonly imports: { measureDue(now: Date): Promise<Backlog> };
  readonly clock: () => Date;
}

export type ImportMetrics = ReturnType<typeof measureImports>;

/** Counts responses and ended imports, and measures the backlog of due imports. */
function measureImports({ imports, clock, ...reporting }: MetricDependencies) {
  const registers = [reporting.registry];
  const rows = new Counter({
    name: 'import_rows_total',
    help: 'Responses in imported files, by outcome. Dry runs are not counted.',
    labelNames: ['outcome'],
    aggregator: 'sum',
    registers,
  });
  const ended = new Counter({
    name: 'imports_ended_total',
    help: 'Ended imports by status, dry runs included.',
    labelNames: ['status'],
    aggregator: 'sum',
    registers,
  });
  const readings = new Counter({
    name: 'import_readings_total',
    help: 'Files read in threads, by outcome. `too_complex`: they took more memory or time than is allowed.',
    labelNames: ['kind', 'outcome'],
    aggregator: 'sum',
    registers,
  });
  startAtZero(readings, { kind: READING_KINDS, outcome: READING_OUTCOMES });
  startAtZero(rows, { outcome: ROW_OUTCOMES });
  startAtZero(ended, { status: ENDINGS });
  measureBacklog({
    measure: () => imports.measureDue(clock()),
    count: { name: 'imports_due', help: 'Imports that are due and that no process runs' },
    oldest: {
      name: 'imports_oldest_due_seconds',
      help: 'Longest time that an import has been due',
    },
    ...reporting,
  });
  return {
    /** Counts the responses of a batch, by outcome. A batch that is sent again after a crash counts again. */
    addRows(counts: Readonly<Record<(typeof ROW_OUTCOMES)[number], number>>): void {
      for (const outcome of ROW_OUTCOMES) rows.inc({ outcome }, counts[outcome]);
    },
    ended: (status: Report['status']): void => ended.inc({ status }),
    /** Counts a file that was read, by a call or a job. */
    read: (kind: ReadingKind, outcome: ReadingOutcome): void => readings.inc({ kind, outcome }),
  };
}
