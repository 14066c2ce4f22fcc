import { type FileResponse, isRefused, type ReadResponse, type RefusedResponse } from './file-response.ts';
import type { NewResponse } from './response-client.ts';

/** A response of a file as it is sent. */
export interface Sendable extends Pick<ReadResponse, 'index' | 'id'> {
  readonly stored: NewResponse;
}

/** What is stored of a response, but for its answers, and those. */
export interface Stored extends Omit<NewResponse, 'answers'>, Pick<ReadResponse, 'answers'> {}

interface Options {
  readonly toStored: (response: ReadResponse) => Stored;
  /** How many of them are left out, from the beginning. */
  readonly skip: number;
}

const MAX_RESPONSES = 200;
/** As JSON, which is what is sent: of a response, and of a batch of several. */
const MAX_BYTES = 1024 * 1024;

/**
 * The responses of a file, in their order, in batches that one call may carry; those that are refused count, so that the
 * same file is always cut the same way. A response that no call could carry is refused. Answers become text as they come:
 * many objects that wait for a batch cost the collection of garbage more than all that is done with them.
 */
export async function* toResponseBatches(
  responses: AsyncIterable<FileResponse>,
  { toStored, skip }: Options,
): AsyncGenerator<readonly (Sendable | RefusedResponse)[]> {
  let batch: (Sendable | RefusedResponse)[] = [];
  let bytes = 0;
  let position = 0;
  const reading = untilBroken(responses);
  for await (const response of reading.readable) {
    position += 1;
    if (position <= skip) continue;
    const { item, size } = isRefused(response) ? { item: response, size: 0 } : toSendable(response, toStored);
    if (batch.length === MAX_RESPONSES || (batch.length > 0 && bytes + size > MAX_BYTES)) {
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
 * What comes before the place that cannot be read, which counts, and then what is wrong there. Of one who stops before the
 * end nobody hears what fails then.
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

function toSendable(response: ReadResponse, toStored: Options['toStored']) {
  const { index, id } = response;
  const { answers, ...stored } = toStored(response);
  const text = JSON.stringify(answers);
  const metadataText = stored.metadata === undefined ? '' : JSON.stringify(stored.metadata);
  const size = Buffer.byteLength(text) + Buffer.byteLength(metadataText);
  if (size > MAX_BYTES) return { item: { index, id, ...TOO_LARGE }, size: 0 };
  return { item: { index, id, stored: { ...stored, answers: text } }, size };
}

const TOO_LARGE = {
  code: 'TOO_LARGE',
  detail: 'The answers take more than 1 MiB, the limit of a response',
} as const;
