import { topics } from '@survey/proto/catalog';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { dataKeyIndexes } from '@survey/runtime/crypto/data-key';
import { createRandomSource } from '@survey/runtime/crypto/random-source';
import {
  createIdempotencyStore,
  type IdempotencyDocument,
  idempotencyIndexes,
} from '@survey/runtime/idempotency/idempotency-store';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyHandler } from '@survey/runtime/service/key-handler';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { createAllowances } from './allowances/allowances.ts';
import { createRefusalCounter } from './allowances/refusal-metrics.ts';
import type { ResponseConfig } from './config.ts';
import { createDefinitionClient } from './definitions/definition-client.ts';
import { createDefinitionService } from './definitions/definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definitions/definition-store.ts';
import { createExportService } from './exports/export-service.ts';
import { createDownloadService } from './files/download-service.ts';
import { measureFiles } from './files/file-metrics.ts';
import { createFileSealer } from './files/file-sealer.ts';
import { createFileSettlement } from './files/file-settlement.ts';
import {
  createFileStore,
  type FileChunkDocument,
  type FileDocument,
  fileChunkIndexes,
  fileIndexes,
} from './files/file-store.ts';
import { createFileSweeper } from './files/file-sweeper.ts';
import { createResponseFiles } from './files/response-files.ts';
import { createUploadService } from './files/upload-service.ts';
import { createCapacity } from './limits/capacity.ts';
import { createLedgerStore, type LedgerDocument, ledgerIndexes } from './limits/ledger-store.ts';
import { createLedgerSweeper } from './limits/ledger-sweeper.ts';
import { createLimitedCommit } from './limits/limited-commit.ts';
import { createLinkClient, createSlugClient } from './links/link-client.ts';
import { createLinkPasses } from './links/link-pass.ts';
import { createLinkSealer } from './links/link-sealer.ts';
import { createLinkService } from './links/link-service.ts';
import { createLinkStore, type LinkDocument, linkIndexes } from './links/link-store.ts';
import { createPasswordGuesses } from './links/password-guesses.ts';
import { createAbandonment } from './progress/abandonment.ts';
import { createProgressService } from './progress/progress-service.ts';
import { createProgressStore, progressIndex } from './progress/progress-store.ts';
import { createResumeTokens } from './progress/resume-token.ts';
import { createAnswerHandler } from './responses/answer-handler.ts';
import { createCommitMetrics, createLimitedCommitMetrics } from './responses/commit-metrics.ts';
import { createCorrectionService } from './responses/correction-service.ts';
import { createDeletedResponseStore } from './responses/deleted-response-store.ts';
import { createDeletedResponseSweeper } from './responses/deleted-response-sweeper.ts';
import { bytesOf } from './responses/document-size.ts';
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
import { createRestingReads } from './responses/resting-reads.ts';
import { randomPlace } from './responses/sample-cells.ts';
import { createSampleStore, sampleIndex } from './responses/sample-store.ts';
import { createSubmissionService } from './responses/submission-service.ts';
import { createWriteWindows, type WriteWindowDocument, writeWindowIndexes } from './responses/write-window-store.ts';
import { createExpiredResponseStore } from './retention/expired-response-store.ts';
import { createRetentionClient } from './retention/retention-client.ts';
import { measureRetention } from './retention/retention-metrics.ts';
import { createSurveyBelongingsStore } from './retention/survey-belongings-store.ts';
import { createSurveyDeletion } from './retention/survey-deletion.ts';
import { createSurveyWalk } from './retention/survey-walk.ts';
import { createSurveyWalkStore, type SurveyWalkDocument } from './retention/survey-walk-store.ts';
import { createSummaryService } from './summaries/summary-service.ts';

const UUID_BYTES = 16;

export async function createResponseApp(config: ResponseConfig, log: Logger) {
  const runtime = await createServiceRuntime('response', config, log);
  const { registry } = runtime;
  const clock = () => new Date();
  const now = () => performance.now();

  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase, kept: ['survey_walks'] });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const definitions = createDefinitionService({
    store: createDefinitionStore(runtime.collection<DefinitionDocument>('definitions')),
    source: createDefinitionClient(survey),
    tenants,
    log,
    clock,
    now,
  });
  const countRefusal = createRefusalCounter(registry);
  const allowances = createAllowances({
    submitsPerMinute: config.submitsPerMinute,
    uploadsPerMinute: config.uploadsPerMinute,
    failedLookupsPerMinute: config.failedLookupsPerMinute,
    unlimited: config.unlimitedRanges,
    countRefusal,
    now,
  });
  const links = createLinkService({
    store: createLinkStore(runtime.collection<LinkDocument>('links')),
    sealer: createLinkSealer(envelope),
    source: createLinkClient(survey),
    findSlug: createSlugClient(survey),
    tenants,
    passes: createLinkPasses({ cipherOf: envelope.cipherOf, clock }),
    guessPassword: createPasswordGuesses({ isPassword: createPasswordHasher().isPassword, countRefusal, now }),
    log,
    clock,
    now,
  });

  const collection = runtime.collection<ResponseDocument>('responses');
  const relay = runtime.relay(systemScope(collection));
  const windows = createWriteWindows({
    collection: runtime.collection<WriteWindowDocument>('write_windows'),
    now,
    clock,
  });
  const groupCommit = createGroupCommit<ResponseDocument>({
    insert: (documents) => insertBatch(collection, documents),
    sizeOf: bytesOf,
    metrics: createCommitMetrics(registry),
  });
  const random = Math.random;
  const randomBytes = createRandomSource();
  const samples = createSampleStore({ collection, random });
  const store = createResponseStore({ collection, groupCommit, windows, samples, random, onEvent: relay.wake });
  const deleted = createDeletedResponseStore({ collection, windows, onEvent: relay.wake });
  const sealer = createResponseSealer(envelope);
  const count = createResponseCounter(registry);
  const ledgers = createLedgerStore({
    ledgers: runtime.collection<LedgerDocument>('ledgers'),
    responses: collection,
    windows,
    random,
    onEvent: relay.wake,
    clock,
  });
  const limited = createLimitedCommit({
    store: ledgers,
    sizeOf: ({ response, events }) => bytesOf(toDocument(response, events, randomPlace(random))),
    metrics: createLimitedCommitMetrics(registry),
  });
  const fileStore = createFileStore({
    files: runtime.collection<FileDocument>('files'),
    chunks: runtime.collection<FileChunkDocument>('file_chunks'),
  });
  const fileSealer = createFileSealer(envelope);
  const settlement = createFileSettlement({ store: fileStore, responses: store, sealer, clock });
  const files = createResponseFiles({ store: fileStore, settlement, clock, log });
  const uploads = createUploadService({
    store: fileStore,
    sealer: fileSealer,
    keys: createIdempotencyStore(runtime.collection<IdempotencyDocument>('idempotency_keys')),
    count: measureFiles({ files: fileStore, clock, ...runtime.reporting }),
    clock,
    now,
    newId: v7,
  });
  const downloads = createDownloadService({ definitions, store: fileStore, settlement, sealer: fileSealer });
  const fileSweeper = createFileSweeper({ store: fileStore, settlement, lease: runtime.lease('files'), clock, log });
  const capacity = createCapacity({ ledgers, now });
  const submissions = createSubmissionService({
    definitions,
    store,
    deleted,
    limited,
    ledgers,
    capacity,
    sealer,
    files,
    count,
    clock,
    newId: () => v7({ random: randomBytes(UUID_BYTES) }),
  });
  const everybodys = createProgressStore({ collection, windows });
  const tokens = createResumeTokens(envelope);
  const progress = createProgressService({
    definitions,
    links,
    everybodys,
    store,
    limited,
    ledgers,
    sealer,
    tokens,
    files,
    count,
    clock,
  });
  const counts = createRestingReads<number>({ windows, maxSize: 10_000, sizeOf: () => 1 });
  const responses = createResponseService({ definitions, store, sealer, counts });
  const corrections = createCorrectionService({ definitions, store, deleted, ledgers, sealer, files, clock });
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
  const read = createResponseStream({ read: stream.read, openAll: sealer.openAll, clock });
  const readTexts = createResponseStream({ read: stream.read, openAll: sealer.openTexts, clock });
  const readAnswers = createResponseStream({ read: stream.readAnswers, openAll: sealer.openAnswers, clock });
  const exports = createExportService({ definitions, store: stream, read, readTexts });
  const summaries = createSummaryService({ definitions, store: stream, read: readAnswers, windows, now });
  const imports = createResponseImportService({ definitions, store, ledgers, sealer, count, clock });

  const walks = createSurveyWalkStore({
    walks: runtime.collection<SurveyWalkDocument>('survey_walks'),
    definitions: runtime.collection<DefinitionDocument>('definitions'),
  });
  const walk = createSurveyWalk({
    store: walks,
    source: createRetentionClient(survey),
    visit: createSurveyDeletion({
      files,
      expired: createExpiredResponseStore(collection),
      deleted,
      ledgers,
      belongings: createSurveyBelongingsStore({
        definitions: runtime.collection<DefinitionDocument>('definitions'),
        links: runtime.collection<LinkDocument>('links'),
        ledgers: runtime.collection<LedgerDocument>('ledgers'),
        windows: runtime.collection<WriteWindowDocument>('write_windows'),
      }),
      count: measureRetention({ walks, registry, log }),
      clock,
      now,
    }),
    lease: runtime.lease('retention'),
    clock,
    now,
    log,
  });

  return createServiceApp({
    runtime,
    config,
    tenants,
    implementations: [
      createPublicResponseHandler({
        definitions,
        links,
        capacity,
        submissions,
        progress,
        tokens,
        uploads,
        allowances,
        clock,
      }),
      createResponseHandler({ responses, submissions, corrections, exports, summaries, downloads }),
      createResponseImportHandler(imports),
      createAnswerHandler(responses),
      createKeyHandler({ envelope, tenants }),
    ],
    indexes: {
      responses: [...responseIndexes, sampleIndex, progressIndex, outboxIndex],
      ledgers: ledgerIndexes,
      files: fileIndexes,
      file_chunks: fileChunkIndexes,
      idempotency_keys: idempotencyIndexes,
      write_windows: writeWindowIndexes,
      definitions: definitionIndexes,
      links: linkIndexes,
      data_keys: dataKeyIndexes,
    },
    topics: [topics.response],
    intake: [sweeper, ledgerSweeper, fileSweeper, abandonment, walk],
    workers: [groupCommit, limited, relay],
    connections: [survey],
  });
}
