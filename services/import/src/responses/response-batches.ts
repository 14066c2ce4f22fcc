import {
  isRejected,
  type ParsedResponse,
  type RejectedResponse,
  type RowLocation,
  rowOf,
} from '@survey/formats/shared/file-response';
import {
  type FittedResponse,
  isLeftOut,
  type JudgedResponse,
  type LeftOutResponse,
} from '@survey/formats/shared/fit-response';
import type { NewResponse } from './response-client.ts';

export interface Sendable extends Pick<ParsedResponse, 'index' | 'id'>, RowLocation {
  readonly stored: NewResponse;
  /** Whether the file has a value for this response that is not stored as an answer. */
  readonly isPartial: boolean;
  readonly omissions: FittedResponse['omissions'];
}

export type BatchItem = Sendable | RejectedResponse | LeftOutResponse;

/** A response to store, with answers that are not serialised yet. */
export interface ResponseToStore extends Omit<NewResponse, 'answers'>, Pick<ParsedResponse, 'answers'> {}

interface Options {
  readonly toStored: (response: FittedResponse) => ResponseToStore;
  /** Number of responses at the beginning of the file that were sent before. */
  readonly skip: number;
}

const MAX_RESPONSES = 200;
/** Maximum JSON bytes of a batch with several responses. */
const MAX_BATCH_BYTES = 1024 * 1024;
/** Maximum JSON bytes of the answers of a response: the limit of the response service. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/**
 * Groups responses into batches that fit into one call. Rejected and left out responses count, so the same file always
 * has the same batches. Answers are serialised immediately: text that waits causes less garbage collection than many
 * objects.
 */
export async function* toResponseBatches(
  responses: AsyncIterable<JudgedResponse>,
  { toStored, skip }: Options,
): AsyncGenerator<readonly BatchItem[]> {
  let batch: BatchItem[] = [];
  let bytes = 0;
  let position = 0;
  const reading = untilBroken(responses);
  for await (const response of reading.readable) {
    position += 1;
    if (position <= skip) continue;
    const isUnsent = isRejected(response) || isLeftOut(response);
    const { item, size } = isUnsent ? { item: response, size: 0 } : toSendable(response, toStored);
    if (batch.length === MAX_RESPONSES || (batch.length > 0 && bytes + size > MAX_BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
  reading.rethrow();
}

/**
 * Delays the error of a broken file until the responses before it are processed. If the consumer stops early, the error
 * is dropped.
 */
function untilBroken<T>(items: AsyncIterable<T>) {
  let broken: { readonly error: unknown } | undefined;
  async function* read(): AsyncGenerator<T> {
    try {
      yield* items;
    } catch (error) {
      broken = { error };
    }
  }
  return {
    readable: read(),
    rethrow(): void {
      if (broken !== undefined) throw broken.error;
    },
  };
}

function toSendable(response: FittedResponse, toStored: Options['toStored']) {
  const { index, id, isPartial, omissions } = response;
  const location = { index, id, ...rowOf(response) };
  const { answers, ...stored } = toStored(response);
  const text = JSON.stringify(answers);
  const metadataText = stored.metadata === undefined ? '' : JSON.stringify(stored.metadata);
  const answerBytes = Buffer.byteLength(text);
  if (answerBytes > MAX_ANSWER_BYTES) return { item: { ...location, ...TOO_LARGE }, size: 0 };
  const item = { ...location, isPartial, omissions, stored: { ...stored, answers: text } };
  return { item, size: answerBytes + Buffer.byteLength(metadataText) };
}

const TOO_LARGE = {
  code: 'TOO_LARGE',
  detail: 'The answers take more than 2 MiB, the limit of a response',
} as const;
