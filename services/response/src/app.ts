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
import { createExportService } from './exports/export-service.ts';
import { createLedgerStore, type LedgerDocument, ledgerIndexes } from './limits/ledger-store.ts';
import { createLedgerSweeper } from './limits/ledger-sweeper.ts';
import { createLimitedCommit } from './limits/limited-commit.ts';
import { createRoom } from './limits/room.ts';
import { createLinkClient } from './links/link-client.ts';
import { createLinkPasses } from './links/link-pass.ts';
import { createLinkSealer } from './links/link-sealer.ts';
import { createLinkService } from './links/link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './links/link-store.ts';
import { createPasswordGuesses } from './links/password-guesses.ts';
import { createAbandonment } from './progress/abandonment.ts';
import { createProgressService } from './progress/progress-service.ts';
import { createProgressStore, progressIndex } from './progress/progress-store.ts';
import { createResumeTokens } from './progress/resume-token.ts';
import { createCommitMetrics } from './responses/commit-metrics.ts';
import { createCorrectionService } from './responses/correction-service.ts';
import { createDeletedResponseStore } from './responses/deleted-response-store.ts';
import { createDeletedResponseSweeper } from './responses/deleted-response-sweeper.ts';
import { createGroupCommit } from './responses/group-commit.ts';
import { createPublicResponseHandler } from './responses/public-response-handler.ts';
import { createResponseHandler } from './responses/response-handler.ts';
import { createResponseImportHandler } from './responses/response-import-handler.ts';
import { createResponseImportService } from './responses/response-import-service.ts';
import { createResponseCounter } from './responses/response-metrics.ts';
import { createResponseSealer } from './responses/response-sealer.ts';
import { createResponseService } from './responses/response-service.ts';
import { createResponseStore, type ResponseDocument, responseIndexes, toDocument } from './responses/response-store.ts';
import { createResponseStream } from './responses/response-stream.ts';
import { createResponseStreamStore } from './responses/response-stream-store.ts';
import { createSubmissionService } from './responses/submission-service.ts';
import { createSummaryService } from './summaries/summary-service.ts';

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
  const deleted = createDeletedResponseStore({ collection, onEvent: relay.nudge });
  const sealer = createResponseSealer(envelope);
  const count = createResponseCounter(registry);
  const ledgers = createLedgerStore({
    ledgers: runtime.collection<LedgerDocument>('ledgers'),
    responses: collection,
    onEvent: relay.nudge,
    clock,
  });
  const limited = createLimitedCommit({
    store: ledgers,
    sizeOf: ({ response, events }) => BSON.calculateObjectSize(toDocument(response, events)),
  });
  const room = createRoom({ store, now });
  const submissions = createSubmissionService({
    definitions,
    store,
    deleted,
    limited,
    room,
    sealer,
    count,
    clock,
    newId: v7,
  });
  const everybodys = createProgressStore(collection);
  const tokens = createResumeTokens(envelope);
  const progress = createProgressService({
    definitions,
    links,
    everybodys,
    store,
    limited,
    sealer,
    tokens,
    count,
    clock,
  });
  const responses = createResponseService({ definitions, store, sealer });
  const corrections = createCorrectionService({ definitions, store, deleted, sealer, clock });
  const sweeper = createDeletedResponseSweeper({
    store: deleted,
    lease: runtime.lease('forgetting deleted responses'),
    clock,
    log,
  });
  const ledgerSweeper = createLedgerSweeper({ store: ledgers, lease: runtime.lease('settling ledgers'), clock, log });
  const abandonment = createAbandonment({
    store: everybodys,
    afterHours: config.abandonedAfterHours,
    lease: runtime.lease('abandoned responses'),
    clock,
    log,
  });
  const stream = createResponseStreamStore(collection);
  const read = createResponseStream({ store: stream, sealer, clock });
  const exports = createExportService({ definitions, store: stream, read });
  const summaries = createSummaryService({ definitions, store: stream, read, now });
  const imports = createResponseImportService({ definitions, store, sealer, count, clock });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createPublicResponseHandler({ definitions, links, room, submissions, progress, tokens, clock }),
      createResponseHandler({ responses, submissions, corrections, exports, summaries }),
      createResponseImportHandler(imports),
    ],
    indexes: {
      responses: [...responseIndexes, progressIndex, outboxIndex],
      ledgers: ledgerIndexes,
      definitions: definitionIndexes,
      links: linkIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.response],
    intake: [sweeper, ledgerSweeper, abandonment],
    workers: [groupCommit, limited, relay],
    connections: [survey],
  });
}
