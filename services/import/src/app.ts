import { topics } from '@survey/proto/catalog';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { createKeyHandler } from '@survey/runtime/crypto/key-handler';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { idempotencyIndexes } from '@survey/runtime/mongo/idempotency-store';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createMessageCheck } from '@survey/runtime/rpc/message-check';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import { followTenants } from '@survey/runtime/tenants/follow-tenants';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { ImportConfig } from './config.ts';
import { createImportHandler } from './imports/import-handler.ts';
import { createImportService } from './imports/import-service.ts';
import { createImportStore, type ImportDocument, importIndexes } from './imports/import-store.ts';
import { createImportSweeper } from './imports/import-sweeper.ts';
import { createResponseClient } from './responses/response-client.ts';
import { createSurveyClient } from './surveys/survey-client.ts';

export async function createImportApp(config: ImportConfig, log: Logger) {
  const runtime = await createServiceRuntime('import', config, log);
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const response = runtime.connect('response', config.responseGrpcAddress);

  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const idempotency = runtime.idempotency(envelope);
  const collection = runtime.collection<ImportDocument>('imports');
  const relay = runtime.relay(systemScope(collection));
  const store = createImportStore({ collection, onEvent: relay.nudge });
  const clock = () => new Date();
  const imports = createImportService({
    store,
    surveys: createSurveyClient(survey),
    responses: createResponseClient(response),
    checkMessage: createMessageCheck(),
    clock,
    newId: v7,
  });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [createImportHandler({ imports, idempotency }), createKeyHandler({ envelope, tenants })],
    indexes: {
      imports: [...importIndexes, outboxIndex],
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.import],
    workers: [relay, createImportSweeper({ store, clock, log })],
    connections: [survey, response],
  });
}
