import { topics } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { ImportConfig } from './config.ts';
import { createImportHandler } from './imports/import-handler.ts';
import { createImportService } from './imports/import-service.ts';
import { createImportStore, type ImportDocument } from './imports/import-store.ts';
import { createResponseClient } from './responses/response-client.ts';
import { createSurveyClient } from './surveys/survey-client.ts';

export async function createImportApp(config: ImportConfig, log: Logger) {
  const runtime = await createServiceRuntime('import', config, log);
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const response = runtime.connect('response', config.responseGrpcAddress);

  const collection = runtime.collection<ImportDocument>('imports');
  const relay = runtime.relay(systemScope(collection));
  const imports = createImportService({
    store: createImportStore({ collection, onEvent: relay.nudge }),
    surveys: createSurveyClient(survey),
    responses: createResponseClient(response),
    clock: () => new Date(),
    newId: v7,
  });

  return createServiceApp({
    runtime,
    config,
    implementations: [createImportHandler(imports)],
    indexes: { imports: [outboxIndex] },
    topics: [topics.import],
    workers: [relay],
    connections: [survey, response],
  });
}
