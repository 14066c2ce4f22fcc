import { topics } from '@survey/proto/catalog';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import { followTenants } from '@survey/runtime/tenants/follow-tenants';
import { BSON } from 'mongodb';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { ResponseConfig } from './config.ts';
import { createDefinitionClient } from './definitions/definition-client.ts';
import { createDefinitionService } from './definitions/definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definitions/definition-store.ts';
import { createLinkClient } from './links/link-client.ts';
import { createLinkPasses } from './links/link-pass.ts';
import { createLinkSealer } from './links/link-sealer.ts';
import { createLinkService } from './links/link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './links/link-store.ts';
import { createPasswordGuesses } from './links/password-guesses.ts';
import { createCommitMetrics } from './responses/commit-metrics.ts';
import { createGroupCommit } from './responses/group-commit.ts';
import { createPublicResponseHandler } from './responses/public-response-handler.ts';
import { createResponseHandler } from './responses/response-handler.ts';
import { createResponseImportHandler } from './responses/response-import-handler.ts';
import { createResponseImportService } from './responses/response-import-service.ts';
import { createResponseCounter } from './responses/response-metrics.ts';
import { createResponseSealer } from './responses/response-sealer.ts';
import { createResponseService } from './responses/response-service.ts';
import { createResponseStore, type ResponseDocument, responseIndexes } from './responses/response-store.ts';
import { createSubmissionService } from './responses/submission-service.ts';

export async function createResponseApp(config: ResponseConfig, log: Logger) {
  const runtime = await createServiceRuntime('response', config, log);
  const { registry } = runtime;
  const clock = () => new Date();
  const now = () => performance.now();

  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const definitions = createDefinitionService({
    store: createDefinitionStore(runtime.collection<DefinitionDocument>('definitions')),
    source: createDefinitionClient(survey),
    tenants,
    log,
    clock,
    now,
  });
  const links = createLinkService({
    store: createLinkStore(runtime.collection<LinkDocument>('links')),
    sealer: createLinkSealer(envelope),
    source: createLinkClient(survey),
    tenants,
    passes: createLinkPasses({ cipherOf: envelope.cipherOf, clock }),
    guessPassword: createPasswordGuesses({ isPassword: createPasswordHasher().isPassword, now }),
    log,
    clock,
    now,
  });

  const collection = runtime.collection<ResponseDocument>('responses');
  const relay = runtime.relay(systemScope(collection));
  const groupCommit = createGroupCommit<ResponseDocument>({
    insert: (documents) => insertBatch(collection, documents),
    sizeOf: BSON.calculateObjectSize,
    metrics: createCommitMetrics(registry),
  });
  const store = createResponseStore({ collection, groupCommit, onEvent: relay.nudge });
  const sealer = createResponseSealer(envelope);
  const count = createResponseCounter(registry);
  const submissions = createSubmissionService({ definitions, store, sealer, count, clock, newId: v7 });
  const responses = createResponseService({ definitions, store, sealer });
  const imports = createResponseImportService({ definitions, store, sealer, count, clock });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createPublicResponseHandler({ definitions, links, submissions, clock }),
      createResponseHandler({ responses, submissions }),
      createResponseImportHandler(imports),
    ],
    indexes: {
      responses: [...responseIndexes, outboxIndex],
      definitions: definitionIndexes,
      links: linkIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.response],
    workers: [groupCommit, relay],
    connections: [survey],
  });
}
