import { toBatches } from '@survey/runtime/service/batches';
import { type ReadResponse, sizeOf } from './file-response.ts';

const MAX_RESPONSES = 200;
/** As JSON. In a message it can be several times as much, and that has its limit. */
const MAX_BYTES = 1024 * 1024;

/** Splits responses, in their order, into batches that one call may carry. */
export function toResponseBatches<R extends Pick<ReadResponse, 'answers' | 'metadata'>>(
  responses: readonly R[],
): readonly (readonly R[])[] {
  return toBatches(responses, { items: MAX_RESPONSES, bytes: MAX_BYTES, sizeOf });
}
