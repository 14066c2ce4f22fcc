import { type RejectedResponse, rowOf } from '@survey/formats/shared/file-response';
import type { FittedResponse, JudgedResponse } from '@survey/formats/shared/fit-response';
import type { Actor } from '@survey/runtime/auth/actor';
import type { AppError } from '@survey/runtime/errors/app-error';
import type { Retry } from '../retries/retry-policy.ts';
import { type BatchItem, type ResponseToStore, type Sendable, toResponseBatches } from './response-batches.ts';
import type { Outcome, ResponseClient } from './response-client.ts';

export interface SentBatch {
  /** Position of its first response in the file, from 0. */
  readonly first: number;
  readonly rows: number;
  readonly imported: number;
  /** Number of imported responses with a value that is not stored as an answer. */
  readonly importedInPart: number;
  readonly skipped: number;
  readonly leftOut: number;
  readonly rejected: readonly RejectedResponse[];
  /** Responses of the batch that the survey has now: imported or skipped. */
  readonly storedResponses: readonly Pick<Sendable, 'index' | 'row' | 'omissions'>[];
}

interface Sending {
  readonly client: Pick<ResponseClient, 'store'>;
  readonly importer: Actor;
  readonly surveyId: string;
  readonly silent: boolean;
  readonly begunAt: Date;
  readonly toStored: (response: FittedResponse) => ResponseToStore;
  /** Number of responses that were sent before. */
  readonly skip: number;
  readonly retry: Retry;
  readonly shouldContinue: () => boolean;
  /** Called after each batch, in order. */
  readonly onBatch: (batch: SentBatch) => Promise<void>;
}

/** The end of sending: all responses were sent, or it was stopped. */
interface Sent {
  readonly kind: 'over' | 'stopped';
  /** The error that prevented storing; all later responses failed too. */
  readonly failure: AppError | undefined;
}

/** Concurrent batches: while one is stored, others are checked and the next one is read. */
const WINDOW = 4;
const UNKNOWN: Outcome = {
  outcome: 'failed',
  code: 'INTERNAL',
  detail: 'The result of storing the response is unknown',
  path: '',
};

/**
 * The result of a batch. `sent` is undefined if the batch was given up: the process that continues the import sends it
 * again.
 */
interface Settled {
  readonly sent: SentBatch | undefined;
  readonly failure: AppError | undefined;
}

/**
 * Sends responses in batches, with only a few batches in memory. After a permanent error, the responses of that batch
 * and all later responses fail with the same error.
 */
export async function sendResponses(sending: Sending, responses: AsyncIterable<JudgedResponse>): Promise<Sent> {
  const { shouldContinue, onBatch, toStored, skip } = sending;
  const running: Promise<Settled>[] = [];
  let failure: AppError | undefined;
  let isGivenUp = false;
  let kind: Sent['kind'] = 'over';
  let first = skip;

  async function settle(): Promise<void> {
    try {
      const settled = await running.shift();
      failure ??= settled?.failure;
      if (settled?.sent === undefined) isGivenUp = true;
      // Do not count batches after one that was given up: all of them are sent again.
      else if (!isGivenUp) await onBatch(settled.sent);
    } catch (error) {
      isGivenUp = true;
      throw error;
    }
  }

  /** Waits for all running batches, so that none is stored later. Then throws the first error. */
  async function settleAll(): Promise<void> {
    const errors: unknown[] = [];
    while (running.length > 0) await settle().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  try {
    for await (const batch of toResponseBatches(responses, { toStored, skip })) {
      if (running.length === WINDOW) await settle();
      if (isGivenUp || !shouldContinue()) {
        kind = 'stopped';
        break;
      }
      const sent = sendBatch(sending, batch, first, failure);
      // The promise is awaited later. Until then, this prevents an unhandled rejection.
      sent.catch(() => {});
      running.push(sent);
      first += batch.length;
    }
  } finally {
    // Count stored batches even if the file breaks off or the import is stopped.
    await settleAll();
  }
  return { kind: isGivenUp ? 'stopped' : kind, failure };
}

async function sendBatch(
  sending: Sending,
  batch: readonly BatchItem[],
  first: number,
  earlierFailure: AppError | undefined,
): Promise<Settled> {
  const sendable = batch.filter((response) => 'stored' in response);
  const { client, importer, surveyId, silent, begunAt, retry } = sending;
  const items = sendable.map(({ stored }) => stored);
  const store = () => client.store(importer, { surveyId, silent, begunAt }, items);
  const stored = earlierFailure ?? (items.length === 0 ? [] : await retry(store));
  if (stored === undefined) return { sent: undefined, failure: undefined };
  const failure = 'message' in stored ? stored : undefined;
  const outcomes = new Map(sendable.map((response, position) => [response, outcomeAt(stored, position)]));
  const all = [...outcomes.values()];
  const count = (outcome: Outcome['outcome']) => all.filter((item) => item.outcome === outcome).length;
  const rejected = batch.flatMap((response): readonly RejectedResponse[] => {
    if ('isLeftOut' in response) return [];
    if (!('stored' in response)) return [response];
    const { index, id } = response;
    const outcome = outcomes.get(response);
    if (outcome === undefined || !('code' in outcome)) return [];
    const { code, detail, path } = outcome;
    return [{ index, id, ...rowOf(response), code, detail, ...columnAt(path) }];
  });
  const sent = {
    first,
    rows: batch.length,
    imported: count('imported'),
    importedInPart: sendable.filter((one) => one.isPartial && outcomes.get(one)?.outcome === 'imported').length,
    skipped: count('skipped'),
    leftOut: batch.filter((response) => 'isLeftOut' in response).length,
    rejected,
    storedResponses: sendable.filter((one) => outcomes.get(one)?.outcome !== 'failed'),
  };
  return { sent, failure };
}

/** The column of a JSON pointer into a response: the question of an answer, or the member. */
function columnAt(path: string): Pick<RejectedResponse, 'column'> {
  const [, member = '', questionId] = path.split('/');
  const column =
    member === 'data' && questionId !== undefined ? questionId.replaceAll('~1', '/').replaceAll('~0', '~') : member;
  return column === '' ? {} : { column };
}

function outcomeAt(stored: readonly Outcome[] | AppError, position: number): Outcome {
  if ('message' in stored) return { outcome: 'failed', code: stored.code, detail: stored.message, path: '' };
  return stored[position] ?? UNKNOWN;
}
