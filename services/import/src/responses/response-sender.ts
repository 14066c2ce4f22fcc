import { locationOf, type RejectedResponse } from '@survey/formats/core/responses/response';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import type { BatchItem, Sendable } from '../reading/batches.ts';
import type { Retry } from '../retries/retry-policy.ts';
import type { Outcome, ResponseClient } from './response-client.ts';

/** Responses of a file to send. */
export interface UnsentBatch {
  /** Position of the first response in the file, from 0. */
  readonly first: number;
  readonly items: readonly BatchItem[];
  /** Number of the batches of the file up to this one. */
  readonly batches: number;
}

/** A finished batch of responses: each response is stored, rejected or left out by the options. */
export interface SentBatch extends Pick<UnsentBatch, 'first' | 'batches'> {
  readonly rows: number;
  readonly imported: number;
  /** Number of imported responses with a value that is not stored as an answer. */
  readonly importedInPart: number;
  readonly skipped: number;
  readonly leftOut: number;
  readonly rejected: readonly RejectedResponse[];
  /** Imported and skipped responses. */
  readonly storedResponses: readonly Pick<Sendable, 'index' | 'row' | 'omissions'>[];
}

interface Sending {
  readonly client: Pick<ResponseClient, 'store'>;
  readonly caller: ChangeContext;
  readonly surveyId: string;
  readonly emitEvents: boolean;
  readonly begunAt: Date;
  /** Whether an earlier process may have sent batches without storing its progress. */
  readonly wasSentBefore: boolean;
  readonly retry: Retry;
  readonly shouldContinue: () => boolean;
  /** Called after each batch, in order. */
  readonly onBatch: (batch: SentBatch) => Promise<void>;
}

interface SendResult {
  readonly kind: 'complete' | 'stopped';
  /** The error of the first failed batch. Batches that began later have failed with it, too. */
  readonly failure: AppError | undefined;
}

/** Maximum concurrent batches. */
const WINDOW = 4;
const UNKNOWN: Outcome = {
  outcome: 'failed',
  code: 'INTERNAL',
  detail: 'The result of storing the response is unknown',
  path: '',
};

/** The result of a batch. Without `sent`, the process that continues the import sends the batch again. */
interface Settled {
  readonly sent: SentBatch | undefined;
  readonly failure: AppError | undefined;
}

/**
 * Sends the responses of a file to the response service, with only a few batches in memory. Rejected and left out
 * responses are not sent, but the batches contain them, so that `onBatch` counts them. If a batch fails for good, all
 * its responses fail with the same error, and so do the batches that begin later.
 */
export async function sendResponses(sending: Sending, unsent: AsyncIterable<UnsentBatch>): Promise<SendResult> {
  const { shouldContinue, onBatch } = sending;
  const running: Promise<Settled>[] = [];
  let failure: AppError | undefined;
  let isGivenUp = false;
  let kind: SendResult['kind'] = 'complete';

  async function settle(): Promise<void> {
    try {
      const settled = await running.shift();
      failure ??= settled?.failure;
      if (settled?.sent === undefined) isGivenUp = true;
      // Do not count batches after a batch that was given up: all of them are sent again.
      else if (!isGivenUp) await onBatch(settled.sent);
    } catch (error) {
      isGivenUp = true;
      throw error;
    }
  }

  /** Waits for all running batches. Then throws the first error. */
  async function settleAll(): Promise<void> {
    const errors: unknown[] = [];
    while (running.length > 0) await settle().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  try {
    for await (const batch of unsent) {
      if (running.length === WINDOW) await settle();
      if (isGivenUp || !shouldContinue()) {
        kind = 'stopped';
        break;
      }
      const sent = sendBatch(sending, batch, failure);
      // Prevents an unhandled rejection until `settle` awaits the promise.
      sent.catch(() => {});
      running.push(sent);
    }
  } finally {
    // Count stored batches even if the import is stopped.
    await settleAll();
  }
  return { kind: isGivenUp ? 'stopped' : kind, failure };
}

async function sendBatch(
  sending: Sending,
  { first, items: batch, batches }: UnsentBatch,
  earlierFailure: AppError | undefined,
): Promise<Settled> {
  const sendable = batch.filter((response) => 'payload' in response);
  const { client, caller, surveyId, emitEvents, begunAt, retry } = sending;
  let { wasSentBefore } = sending;
  const items = sendable.map(({ payload }) => payload);
  const store = () => {
    const destination = { surveyId, emitEvents, begunAt, wasSentBefore };
    // If this call fails, the response service may still have stored the batch.
    wasSentBefore = true;
    return client.store(caller, destination, items);
  };
  const result = earlierFailure ?? (items.length === 0 ? [] : await retry(store));
  // This process should not continue the import.
  if (result === undefined) return { sent: undefined, failure: undefined };
  const failure = result instanceof AppError ? result : undefined;
  const outcomes = new Map(sendable.map((response, position) => [response, outcomeAt(result, position)]));
  const all = [...outcomes.values()];
  const count = (outcome: Outcome['outcome']) => all.filter((item) => item.outcome === outcome).length;
  const rejected = batch.flatMap((response): readonly RejectedResponse[] => {
    if ('isLeftOut' in response) return [];
    if (!('payload' in response)) return [response];
    const { index, id } = response;
    const outcome = outcomes.get(response);
    if (outcome === undefined || !('code' in outcome)) return [];
    const { code, detail, path } = outcome;
    return [{ index, id, ...locationOf(response), code, detail, ...columnAt(path) }];
  });
  const sent = {
    first,
    batches,
    rows: batch.length,
    imported: count('imported'),
    importedInPart: sendable.filter((one) => one.lacksValues && outcomes.get(one)?.outcome === 'imported').length,
    skipped: count('skipped'),
    leftOut: batch.filter((response) => 'isLeftOut' in response).length,
    rejected,
    storedResponses: sendable.filter((one) => outcomes.get(one)?.outcome !== 'failed'),
  };
  return { sent, failure };
}

/** The column that a JSON pointer refers to: `/data/q1` is the question `q1`, `/language` is the column `language`. */
function columnAt(path: string): Pick<RejectedResponse, 'column'> {
  const [, member = '', questionId] = path.split('/');
  const column =
    member === 'data' && questionId !== undefined ? questionId.replaceAll('~1', '/').replaceAll('~0', '~') : member;
  return column === '' ? {} : { column };
}

function outcomeAt(result: readonly Outcome[] | AppError, position: number): Outcome {
  if (result instanceof AppError) return { outcome: 'failed', code: result.code, detail: result.message, path: '' };
  return result[position] ?? UNKNOWN;
}
