import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import { createSharedCapacity } from '../rate-limits/shared-capacity.ts';
import type { ResponseDocument } from './response-store.ts';

/** Combines concurrent inserts into few writes, with a result for each caller. */
export interface GroupCommit<D> {
  /**
   * Resolves when the document is durable, or its id is taken. Rejects with `OVERLOADED` if too many documents of the
   * survey, of the tenant or of all are waiting, with `UNAVAILABLE` if the document may or may not be stored.
   */
  add(document: D): Promise<'inserted' | 'duplicate'>;
  stop(): Promise<void>;
}

interface Dependencies<D> {
  readonly insert: (documents: readonly D[]) => Promise<readonly InsertOutcome[]>;
  readonly sizeOf: (document: D) => number;
  readonly metrics: BatcherMetrics;
}

/** Responses without a limit that wait in this process, or are being written. Tenants and surveys share it. */
const WAITING = { items: 10_000, bytes: 64 * 1024 * 1024 };
const BATCH = { items: 500, size: 4 * 1024 * 1024 };
const MAX_IN_FLIGHT = 2;
/** Pause between writes, to collect documents. The fixed cost of a write is that of several documents. */
const INTERVAL_MS = 10;

export function createGroupCommit<D extends Pick<ResponseDocument, 'tenant_id' | 'survey_id'>>({
  insert,
  sizeOf,
  metrics,
}: Dependencies<D>): GroupCommit<D> {
  const capacity = createSharedCapacity(WAITING);
  const batcher = createBatcher({
    flush: (documents: readonly D[]) => mapUnavailable(insert(documents)),
    batch: { ...BATCH, sizeOf },
    acquire: ({ tenant_id: tenantId, survey_id: surveyId }, size) => capacity.acquire({ tenantId, surveyId }, size),
    concurrency: MAX_IN_FLIGHT,
    intervalMs: INTERVAL_MS,
    metrics,
  });
  return {
    async add(document) {
      const outcome = await batcher.add(document);
      if (outcome.kind === 'failed') throw new AppError('INTERNAL', { cause: outcome.error });
      return outcome.kind;
    },
    stop: batcher.stop,
  };
}

/** Maps a failed write to `UNAVAILABLE`: its documents may or may not be stored, and the client should retry. */
export async function mapUnavailable<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause });
  }
}
