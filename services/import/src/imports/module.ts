import { topics } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { FollowedTenants } from '@survey/runtime/service/follow-tenants';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import { createResponseClient } from '../responses/response-client.ts';
import type { Staging } from '../staging/staged-file.ts';
import { createSurveyClient } from '../surveys/survey-client.ts';
import type { ImportDocument } from './import-document.ts';
import { createImportErrorStore, type ImportErrorsDocument, importErrorIndexes } from './import-error-store.ts';
import { measureImports } from './import-metrics.ts';
import { createImportRunner } from './import-runner.ts';
import { createImportService } from './import-service.ts';
import { createImportStore, importIndexes } from './import-store.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { createPreparation } from './prepare-import.ts';
import { createImportRun } from './run-import.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly response: ServiceConnection;
  readonly tenants: Pick<FollowedTenants, 'statusOf'>;
  readonly staging: Staging;
  readonly checkMessage: MessageCheck;
  readonly importLeaseMs: number;
}

/** Imports files, within a call or by a job. */
export function createImportModule(runtime: ServiceRuntime, needs: Dependencies) {
  const { tenants, staging, checkMessage, importLeaseMs: leaseMs } = needs;
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
  const prepare = createPreparation({ surveys, responses: createResponseClient(needs.response), checkMessage });
  const metrics = measureImports({ imports: store, clock, ...runtime.reporting });
  const run = createImportRun({ store, errors, surveys, metrics, clock, now });
  const startRenewal = createLeaseRenewal({ store, clock, leaseMs, log });
  const running = { staging, prepare, run, startRenewal, tenants, clock, newId, leaseMs, log };
  const createRunner = (claimImport: typeof store.claim) => createImportRunner({ ...running, claimImport });
  // A job can take hours. So one runner leaves tenants out that have a running job, and one only ends imports.
  const runners = [createRunner(store.claim), createRunner(store.claimOfIdleTenant), createRunner(store.claimEnding)];
  return {
    indexes: { imports: [...importIndexes, outboxIndex], import_errors: importErrorIndexes },
    topics: [topics.import],
    pollers: runners,
    workers: [relay],
    api: createImportService({
      ...running,
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
