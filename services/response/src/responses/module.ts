import { topics } from '@survey/proto/catalog';
import { AnswerService as AnswerServiceDesc } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { declaredMetadata } from '@survey/questionnaire/metadata/metadata-columns';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError } from '@survey/runtime/errors/app-error';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { sharedCounter, startAtZero } from '@survey/runtime/telemetry/metrics';
import { Counter, type Registry } from 'prom-client';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createConditionService } from './condition-service.ts';
import { createDeletedResponseStore, createTombstoneRemover, createWriteFence } from './deleted-response-store.ts';
import { bytesOf, createCommitMetrics, createGroupCommit } from './group-commit.ts';
import type { Response, ResponseFields } from './response.ts';
import { type ResponseDocument, responseIndexes } from './response-document-store.ts';
import { createResponseSealer } from './response-sealer.ts';
import {
  createResponseService,
  createSlowReads,
  type ResponseCount,
  type ResponseService,
} from './response-service.ts';
import { createResponseStore } from './response-store.ts';
import { createResponseStream, createResponseStreamStore } from './response-stream-store.ts';
import { createSampleStore, sampleIndex } from './sample-store.ts';
import type { SliceStore } from './slice-store.ts';
import {
  createAggregateCache,
  createWriteWindows,
  type WriteWindowDocument,
  writeWindowIndexes,
} from './write-window-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly slices: SliceStore;
  readonly envelope: Envelope;
  readonly deletionsKeptDays: number;
  readonly metricsMaxSeries: number;
}

const MAX_COUNTS = 10_000;

export type ResponseApi = ReturnType<typeof createResponseModule>['provides'];

/**
 * Stores, reads and deletes responses. Terms:
 *
 * - group commit: stores concurrent responses with one write
 * - write window: a time span in which a process may write responses. Caches stay valid until a window opens
 * - slice: stored counts of a time range. A change or deletion of a response removes its slices
 * - sample store: finds random responses by a random sampling key, which each response has
 * - tombstone: document that replaces a deleted response, so that no late write stores it again
 * - write fence: makes late writes of stalled processes fail
 * - sealer: encrypts answers, metadata and external ids with a data key of the tenant
 */
export function createResponseModule(
  runtime: ServiceRuntime,
  { definitions, slices, envelope, deletionsKeptDays, metricsMaxSeries }: Dependencies,
) {
  const { registry, log, clock, now } = runtime;
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
  const samples = createSampleStore({ collection, random });
  const store = createResponseStore({ collection, groupCommit, windows, slices, samples, random, onEvent: relay.wake });
  const deleted = createDeletedResponseStore({ collection, windows, slices, onEvent: relay.wake });
  const sweeper = createTombstoneRemover({
    store: deleted,
    keptDays: deletionsKeptDays,
    lease: runtime.lease('forgetting deleted responses'),
    clock,
    log,
  });
  const sealer = createResponseSealer(envelope);
  const stream = createResponseStreamStore(collection);
  const read = createResponseStream({ read: stream.read, openAll: sealer.openAll, clock });
  const conditions = createConditionService({
    definitions,
    read,
    async findExternalId(survey, externalId) {
      const tag = await sealer.tagOf(survey.tenantId, survey.surveyId, externalId);
      return { tag, ...((await store.hasPlaintext(survey, externalId)) && { text: externalId }) };
    },
    now,
  });
  const counts = createAggregateCache<ResponseCount>({ windows, maxSize: MAX_COUNTS, sizeOf: () => 1, now });
  const slowReads = createSlowReads();
  const responseService = createResponseService({ definitions, store, sealer, conditions, counts, slowReads, now });
  return {
    handlers: [createAnswerHandler(responseService, definitions)],
    indexes: { responses: [...responseIndexes, sampleIndex, outboxIndex], write_windows: writeWindowIndexes },
    topics: [topics.response],
    stoppedFirst: [sweeper],
    // Stop these last, because running calls still store responses and events.
    stoppedLast: [groupCommit, relay],
    provides: {
      store,
      deleted,
      fence: createWriteFence({ collection, windows, clock }),
      sealer,
      windows,
      responseService,
      slowReads,
      stream,
      read,
      conditions,
      countStored: createResponseCounter(registry, metricsMaxSeries),
      onEvent: relay.wake,
    },
  };
}

/** Serves answers to the webhook service. `postponedIds` names responses that did not fit into the reply. */
function createAnswerHandler(
  responses: Pick<ResponseService, 'getByIds'>,
  definitions: Pick<DefinitionService, 'findOwned'>,
) {
  /** The values of metadata fields. Undefined if there are no fields, or the survey is deleted. */
  async function declaredIn({ tenantId, surveyId, metadata }: Response) {
    const survey = await definitions.findOwned(tenantId, surveyId).catch(ignoreMissing);
    const fields = survey?.settings.metadataFields ?? [];
    return fields.length === 0 ? undefined : declaredMetadata(fields, metadata);
  }

  return implement(AnswerServiceDesc, {
    async getAnswers({ responseIds }, context) {
      const { found, postponed } = await responses.getByIds(tenantCallOf(context).tenantId, responseIds);
      const answers = found.map(async (response) => {
        const { id: responseId, revision, data } = response;
        return { responseId, revision, data, metadata: await declaredIn(response) };
      });
      return { answers: await Promise.all(answers), postponedIds: [...postponed] };
    },
  });
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'SURVEY_NOT_FOUND') throw error;
}

/** Number of counted statuses: all except `in_progress`. */
const STATUS_COUNT = 3;

export type CountStored = (response: ResponseFields) => void;

/**
 * Counts stored responses that are not in progress. Counts further tenants and surveys as `other`. Makes at most
 * `maxSeries` series, and three more for the tenant `other`.
 */
export function createResponseCounter(registry: Registry, maxSeries: number): CountStored {
  // Each named survey has a series for each status, and so has the survey `other` of each named tenant.
  const max = Math.floor(maxSeries / (2 * STATUS_COUNT));
  const tenant = createBoundedLabel({ name: 'survey_responses_total.tenant_id', max, registry });
  const survey = createBoundedLabel({ name: 'survey_responses_total.survey_id', max, registry });
  const total = new Counter({
    name: 'survey_responses_total',
    help: 'Responses stored by this process, imported ones included, those in progress excluded.',
    labelNames: ['tenant_id', 'survey_id', 'status'],
    aggregator: 'sum',
    registers: [registry],
  });
  return ({ tenantId, surveyId, status }) =>
    total.inc({ tenant_id: tenant.of(tenantId), survey_id: survey.of(surveyId), status });
}

/** Keeps the first `max` values of a label, and replaces later values with `other`. */
export function createBoundedLabel({ name, max, registry }: { name: string; max: number; registry: Registry }) {
  const known = new Set<string>();
  const overflow = sharedCounter(registry, {
    name: 'metrics_label_overflow_total',
    help: 'Observations whose label value was replaced by `other`.',
    labelNames: ['label'],
    aggregator: 'sum',
  });
  startAtZero(overflow, { label: name });
  return {
    of(value: string): string {
      if (known.size < max) known.add(value);
      if (known.has(value)) return value;
      overflow.inc({ label: name });
      return 'other';
    },
  };
}
