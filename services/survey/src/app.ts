import { randomBytes } from 'node:crypto';
import { topics } from '@survey/proto/catalog';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { idempotencyIndexes } from '@survey/runtime/idempotency/idempotency-store';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyHandler } from '@survey/runtime/service/key-handler';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v4 } from 'uuid';
import type { SurveyConfig } from './config.ts';
import { createLinkHandler } from './links/link-handler.ts';
import { createLinkSecrets } from './links/link-secrets.ts';
import { createLinkService } from './links/link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './links/link-store.ts';
import { createProjectHandler } from './projects/project-handler.ts';
import { createProjectService } from './projects/project-service.ts';
import { createProjectStore, type ProjectDocument, projectIndexes } from './projects/project-store.ts';
import { createDefinitionHandler } from './surveys/definition-handler.ts';
import { createSurveyCloser } from './surveys/survey-closer.ts';
import type { SurveyDocument } from './surveys/survey-document.ts';
import { createSurveyHandler } from './surveys/survey-handler.ts';
import { registerSurveyMetrics } from './surveys/survey-metrics.ts';
import {
  createSurveyPurgeStore,
  deletedSurveyIndex,
  type PurgedSurveyDocument,
  purgedSurveyIndexes,
} from './surveys/survey-purge-store.ts';
import { createSurveyPurger } from './surveys/survey-purger.ts';
import { createSurveyService } from './surveys/survey-service.ts';
import { createSurveyStore, surveyIndexes } from './surveys/survey-store.ts';
import { createSurveyVersionService } from './surveys/survey-version-service.ts';
import {
  createSurveyVersionStore,
  type SurveyVersionDocument,
  surveyVersionIndexes,
} from './surveys/survey-version-store.ts';

export async function createSurveyApp(config: SurveyConfig, log: Logger) {
  const runtime = await createServiceRuntime('survey', config, log);
  const clock = () => new Date();
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const idempotency = runtime.idempotency(envelope);

  const collection = runtime.collection<SurveyDocument>('surveys');
  const projectCollection = runtime.collection<ProjectDocument>('projects');
  const projectRelay = runtime.relay(systemScope(projectCollection));
  const projectStore = createProjectStore({
    collection: projectCollection,
    surveys: collection,
    client: runtime.mongo.client,
    onEvent: projectRelay.wake,
  });
  const projects = createProjectService({ store: projectStore, clock });

  const relay = runtime.relay(systemScope(collection));
  const versionCollection = runtime.collection<SurveyVersionDocument>('survey_versions');
  const versionStore = createSurveyVersionStore(versionCollection);
  const store = createSurveyStore({
    collection,
    versions: versionStore,
    projects: projectStore,
    client: runtime.mongo.client,
    onEvent: relay.wake,
  });
  const surveys = createSurveyService({ store, clock, newQuestionId: v4 });
  const versions = createSurveyVersionService({ surveys, store, versions: versionStore });
  const closer = createSurveyCloser({ store, surveys, lease: runtime.lease('close surveys'), clock, log });
  registerSurveyMetrics({ store, ...runtime.reporting });

  const linkCollection = runtime.collection<LinkDocument>('links');
  const linkRelay = runtime.relay(systemScope(linkCollection));
  const linkStore = createLinkStore({ collection: linkCollection, onEvent: linkRelay.wake });
  const secrets = createLinkSecrets({ envelope, passwords: createPasswordHasher(), randomBytes });
  const links = createLinkService({ store: linkStore, secrets, surveys, clock, randomBytes });

  const purgeStore = createSurveyPurgeStore({
    surveys: collection,
    versions: versionCollection,
    links: linkCollection,
    purged: runtime.collection<PurgedSurveyDocument>('purged_surveys'),
    client: runtime.mongo.client,
    onEvent: relay.wake,
  });
  const purger = createSurveyPurger({
    store: purgeStore,
    afterDays: config.purgeDeletedAfterDays,
    lease: runtime.lease('purge surveys'),
    clock,
    log,
  });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createSurveyHandler({ surveys, versions, idempotency }),
      createProjectHandler({ projects, idempotency }),
      createLinkHandler({ links, idempotency }),
      createDefinitionHandler({ surveys, versions, links, retentions: purgeStore }),
      createKeyHandler({ envelope, tenants }),
    ],
    indexes: {
      surveys: [...surveyIndexes, deletedSurveyIndex, outboxIndex],
      purged_surveys: purgedSurveyIndexes,
      survey_versions: surveyVersionIndexes,
      projects: [...projectIndexes, outboxIndex],
      links: [...linkIndexes, outboxIndex],
      idempotency_keys: idempotencyIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.survey, topics.audit],
    intake: [closer, purger],
    workers: [relay, projectRelay, linkRelay],
  });
}
