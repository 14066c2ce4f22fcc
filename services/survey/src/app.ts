import { topics } from '@survey/proto/catalog';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v4, v7 } from 'uuid';
import type { SurveyConfig } from './config.ts';
import { createDefinitionHandler } from './surveys/definition-handler.ts';
import { createSurveyHandler } from './surveys/survey-handler.ts';
import { registerSurveyMetrics } from './surveys/survey-metrics.ts';
import { createSurveyService } from './surveys/survey-service.ts';
import { createSurveyStore, type SurveyDocument, surveyIndexes } from './surveys/survey-store.ts';

export async function createSurveyApp(config: SurveyConfig, log: Logger) {
  const runtime = await createServiceRuntime('survey', config, log);
  const collection = runtime.collection<SurveyDocument>('surveys');
  const relay = runtime.relay(systemScope(collection));
  const store = createSurveyStore({ collection, onEvent: relay.nudge });
  const surveys = createSurveyService({ store, clock: () => new Date(), newId: v7, newQuestionId: v4 });
  registerSurveyMetrics({ store, registry: runtime.registry, log });

  return createServiceApp({
    runtime,
    config,
    implementations: [createSurveyHandler(surveys), createDefinitionHandler(surveys)],
    indexes: { surveys: [...surveyIndexes, outboxIndex] },
    topics: [topics.survey],
    workers: [relay],
  });
}
