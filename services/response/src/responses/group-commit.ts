import { AppError } from '@survey/runtime/errors/app-error';
import { type BatcherMetrics, createBatcher } from '@survey/runtime/flow/batcher';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import type { InsertOutcome } from '@survey/runtime/mongo/insert-batch';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createSharedCapacity } from '../rates/shared-capacity.ts';
import type { ResponseDocument } from './response-document-store.ts';

/** Repeats the checks of a response. Rejects if they fail. Returns undefined if the last checks are recent enough. */
export type Recheck = () => Promise<unknown> | undefined;

export interface Rejection {
  readonly kind: 'rejected';
  readonly error: unknown;
}

/** The result of a repeated check that is too slow to wait for. */
interface Unchecked {
  readonly kind: 'unchecked';
}

interface Dependencies<D> {
  readonly insert: (documents: readonly D[]) => Promise<readonly InsertOutcome[]>;
  readonly sizeOf: (document: D) => number;
  readonly metrics: BatcherMetrics;
}

/** Capacity for responses that wait or are being written. Responses within limits have another capacity. */
const CAPACITY = { items: 10_000, bytes: 64 * 1024 * 1024 };
const BATCH = { maxItems: 500, maxSize: 4 * 1024 * 1024 };
const MAX_IN_FLIGHT = 2;
/** Pause between writes, to collect more documents for each write. */
const INTERVAL_MS = 10;
/** Maximum time that a batch waits for checks. A slow check of one survey must not delay other surveys. */
const MAX_RECHECK_MS = 100;
/** Maximum number of batches in which a response with slow checks is tried. */
const MAX_BATCHES = 5;

interface Item<D> {
  readonly document: D;
  readonly recheck: Recheck;
}

type WithSurvey = Pick<ResponseDocument, 'tenant_id' | 'survey_id'>;

export type GroupCommit<D extends WithSurvey> = ReturnType<typeof createGroupCommit<D>>;

/** Group commit: combines concurrent inserts into few writes, with a result for each caller. */
export function createGroupCommit<D extends WithSurvey>({ insert, sizeOf, metrics }: Dependencies<D>) {
  const capacity = createSharedCapacity(CAPACITY);
  const batcher = createBatcher({
    flush,
    batch: { ...BATCH, sizeOf: ({ document }) => sizeOf(document) },
    acquire: ({ document: { tenant_id: tenantId, survey_id: surveyId } }, size) =>
      capacity.acquire({ tenantId, surveyId }, size),
    concurrency: MAX_IN_FLIGHT,
    intervalMs: INTERVAL_MS,
    metrics,
  });

  async function flush(items: readonly Item<D>[]): Promise<readonly (InsertOutcome | Rejection | Unchecked)[]> {
    const checks = recheckAll(items);
    const rejections = checks === undefined ? [] : await checks;
    const accepted = items.filter((_, index) => rejections[index] === undefined);
    const outcomes =
      accepted.length === 0 ? [] : await failAsUnavailable(insert(accepted.map(({ document }) => document)));
    const inserted = outcomes.values();
    return items.map((_, index) => rejections[index] ?? nextOf(inserted));
  }

  return {
    /**
     * Resolves when the document is durable, or its id is taken. Rejects with the error of `recheck`, with `OVERLOADED`
     * if too many documents are waiting, and with `UNAVAILABLE` if the write has an unknown result or the checks take
     * too long.
     */
    async add(document: D, recheck: Recheck): Promise<'inserted' | 'duplicate'> {
      for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
        const outcome = await batcher.add({ document, recheck });
        if (outcome.kind === 'rejected') throw outcome.error;
        if (outcome.kind === 'failed') throw new AppError('INTERNAL', { cause: outcome.error });
        if (outcome.kind !== 'unchecked') return outcome.kind;
        // Finish the slow check outside of a batch.
        await recheck();
      }
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    },
    stop: batcher.stop,
  };
}

/** An item that may be stored has the result undefined. Returns undefined if no check must be awaited. */
export function recheckAll(
  items: readonly { readonly recheck: Recheck }[],
): Promise<readonly (Rejection | Unchecked | undefined)[]> | undefined {
  const checks = items.map(({ recheck }) => recheck());
  if (checks.every((check) => check === undefined)) return undefined;
  return Promise.all(checks.map(async (check) => (check === undefined ? undefined : toVerdict(check))));
}

function toVerdict(check: Promise<unknown>): Promise<Rejection | Unchecked | undefined> {
  const result = check.then(
    () => undefined,
    (error: unknown) => ({ kind: 'rejected', error }) as const,
  );
  return withTimeLimit<Rejection | Unchecked | undefined>(result, MAX_RECHECK_MS, () => ({ kind: 'unchecked' }));
}

export function nextOf<T>(outcomes: Iterator<T>): T {
  const { value, done } = outcomes.next();
  if (done) throw new Error('The write returned too few outcomes');
  return value;
}

/** Turns any error of a write into `UNAVAILABLE`. The documents may or may not be stored. */
export async function failAsUnavailable<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause });
  }
}

/** @param limited whether the metrics are for responses within limits */
export function createCommitMetrics(registry: Registry, limited?: 'limited'): BatcherMetrics {
  const [prefix, suffix] = limited ? ['response_limited_commit', ' within limits'] : ['response_commit', ''];
  const waiting = new Gauge({
    name: `${prefix}_waiting`,
    help: `Responses${suffix} waiting to be written.`,
    aggregator: 'sum',
    registers: [registry],
  });
  const batch = new Histogram({
    name: `${prefix}_batch_size`,
    help: `Responses${suffix} in one write.`,
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    aggregator: 'sum',
    registers: [registry],
  });
  const wait = new Histogram({
    name: `${prefix}_wait_seconds`,
    help: `Time from accepting a response${suffix} to the start of its write.`,
    buckets: [0.001, 0.003, 0.01, 0.025, 0.05, 0.25, 1, 5],
    aggregator: 'sum',
    registers: [registry],
  });
  const shed = new Counter({
    name: `${prefix}_shed_total`,
    help: `Responses${suffix} rejected because too many were waiting.`,
    aggregator: 'sum',
    registers: [registry],
  });
  return {
    setWaiting: (count) => waiting.set(count),
    observeBatch: (size) => batch.observe(size),
    startTimer: () => {
      const stop = wait.startTimer();
      return () => void stop();
    },
    countShed: () => shed.inc(),
  };
}

/** Upper bound for all other fields of a document, and for an event without its body. */
const OTHER_FIELDS_BYTES = 2048;

/** Returns an upper bound of the size of a document. Measuring the size would cost half as much as the write. */
export function bytesOf({ data, metadata, outbox }: Pick<ResponseDocument, 'data' | 'metadata' | 'outbox'>): number {
  const answers = data.ct.length() + (metadata?.ct.length() ?? 0);
  return outbox.reduce((sum, { value }) => sum + value.length() + OTHER_FIELDS_BYTES, answers + OTHER_FIELDS_BYTES);
}
