import type { NewResponse } from './response-client.ts';

const MAX_RESPONSES = 200;
/** As JSON. In a message it can be several times as much, and that has its limit. */
const MAX_BYTES = 1024 * 1024;

/** Splits responses, in their order, into batches that one call may carry. */
export function toBatches<R extends Pick<NewResponse, 'answers'>>(responses: readonly R[]): readonly (readonly R[])[] {
  const batches: R[][] = [];
  let batch: R[] = [];
  let bytes = 0;
  for (const response of responses) {
    const size = Buffer.byteLength(JSON.stringify(response.answers));
    if (batch.length === MAX_RESPONSES || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(response);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
