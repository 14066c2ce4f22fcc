import { topics } from '@survey/proto/catalog';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { idempotencyIndexes } from '@survey/runtime/idempotency/idempotency-store';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createMessageCheck } from '@survey/runtime/rpc/message-check';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyHandler } from '@survey/runtime/service/key-handler';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { ImportConfig } from './config.ts';
import { createHolds } from './imports/hold.ts';
import { createImportErrorStore, type ImportErrorsDocument, importErrorIndexes } from './imports/import-error-store.ts';
import { createImportHandler } from './imports/import-handler.ts';
import { measureImports } from './imports/import-metrics.ts';
import { createImportReceiver } from './imports/import-request.ts';
import { createImportRunner } from './imports/import-runner.ts';
import { createImportService } from './imports/import-service.ts';
import { createImportStore, type ImportDocument, importIndexes } from './imports/import-store.ts';
import { createJobAnswer } from './imports/job-answer-handler.ts';
import { createPreparation } from './imports/prepare-import.ts';
import { createImportRun } from './imports/run-import.ts';
import { createResponseClient } from './responses/response-client.ts';
import { createStaging } from './staging/staged-file.ts';
import { createStagedPieceStore, type StagedPieceDocument, stagedPieceIndexes } from './staging/staged-piece-store.ts';
import { createSurveyClient } from './surveys/survey-client.ts';

/** Imports of one process at once, beside those that are over within their calls. */
const RUNNERS = 2;

export async function createImportApp(config: ImportConfig, log: Logger) {
  const runtime = await createServiceRuntime('import', config, log);
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const response = runtime.connect('response', config.responseGrpcAddress);

  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const idempotency = runtime.idempotency(envelope);
  const collection = runtime.collection<ImportDocument>('imports');
  const relay = runtime.relay(systemScope(collection));
  const clock = () => new Date();
  const now = () => performance.now();
  const newId = v7;
  const leaseMs = config.importLeaseMs;
  const surveys = createSurveyClient(survey);
  const responses = createResponseClient(response);
  const checkMessage = createMessageCheck();
  const store = createImportStore({ collection, onEvent: relay.wake });
  const errors = createImportErrorStore({
    collection: runtime.collection<ImportErrorsDocument>('import_errors'),
    clock,
  });
  const pieces = createStagedPieceStore({
    collection: runtime.collection<StagedPieceDocument>('staged_pieces'),
    clock,
  });
  const staging = createStaging({ envelope, store: pieces });
  const prepare = createPreparation({ surveys, responses, checkMessage });
  const metrics = measureImports({ imports: store, clock, ...runtime.reporting });
  const run = createImportRun({ store, errors, surveys, metrics, clock, now });
  const keepHold = createHolds({ store, clock, leaseMs, log });
  const parts = { store, errors, staging, prepare, run, keepHold, surveys, tenants, clock, newId, leaseMs, log };
  const runners = Array.from({ length: RUNNERS }, () => createImportRunner({ ...parts, take: store.take }));
  // Apart from those that may be at one for hours.
  const ender = createImportRunner({ ...parts, take: store.takeEnding });
  const onDue = () => {
    for (const runner of [...runners, ender]) runner.wake();
  };
  const imports = createImportService({ ...parts, onDue });
  const receive = createImportReceiver({ staging, newId, now, maxBytes: config.importMaxBytes });
  const shutdown = new AbortController();
  const answerJob = createJobAnswer({ imports, shutdown: shutdown.signal });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createImportHandler({ imports, idempotency, receive, answerJob, checkMessage }),
      createKeyHandler({ envelope, tenants }),
    ],
    indexes: {
      imports: [...importIndexes, outboxIndex],
      import_errors: importErrorIndexes,
      staged_pieces: stagedPieceIndexes,
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.import],
    intake: [...runners, ender, { stop: async () => shutdown.abort() }],
    workers: [relay],
    connections: [survey, response],
  });
}
