import { topics } from '@survey/proto/catalog';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { SliceStore } from '../slices/slice-store.ts';
import { createAnswerHandler } from './answer-handler.ts';
import { createCachedAggregates } from './cached-aggregates.ts';
import { createCommitMetrics } from './commit-metrics.ts';
import { createDeletedResponseStore } from './deleted-response-store.ts';
import { bytesOf } from './document-size.ts';
import { createGroupCommit } from './group-commit.ts';
import { createResponseCounter } from './response-metrics.ts';
import { createResponseSealer } from './response-sealer.ts';
import { createResponseService } from './response-service.ts';
import { createResponseStore, type ResponseDocument, responseIndexes } from './response-store.ts';
import { createResponseStreamStore } from './response-stream-store.ts';
import { createSampleStore, sampleIndex } from './sample-store.ts';
import { createTombstoneRemover } from './tombstone-remover.ts';
import { createWriteFence } from './write-fence-store.ts';
import { createWriteWindows, type WriteWindowDocument, writeWindowIndexes } from './write-window-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly slices: SliceStore;
  readonly envelope: Envelope;
  readonly deletionsKeptDays: number;
  readonly metricsMaxSeries: number;
}

/** Size of the cache of counts. */
const MAX_COUNTS = 10_000;

export type ResponseApi = ReturnType<typeof createResponseModule>['api'];

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
  const counts = createCachedAggregates<number>({ windows, maxSize: MAX_COUNTS, sizeOf: () => 1 });
  const reading = createResponseService({ definitions, store, sealer, counts, now });
  return {
    handlers: [createAnswerHandler(reading)],
    indexes: { responses: [...responseIndexes, sampleIndex, outboxIndex], write_windows: writeWindowIndexes },
    topics: [topics.response],
    pollers: [sweeper],
    workers: [groupCommit, relay],
    api: {
      store,
      deleted,
      fence: createWriteFence({ collection, windows, clock }),
      sealer,
      windows,
      reading,
      stream: createResponseStreamStore(collection),
      count: createResponseCounter(registry, metricsMaxSeries),
      onEvent: relay.wake,
    },
  };
}
