import { toBatches } from '@survey/runtime/service/batches';
import type { NewResponse } from './response-client.ts';

const MAX_RESPONSES = 200;
/** As JSON. In a message it can be several times as much, and that has its limit. */
const MAX_BYTES = 1024 * 1024;

/** Splits responses, in their order, into batches that one call may carry. */
export function toResponseBatches<R extends Pick<NewResponse, 'answers'>>(
  responses: readonly R[],
): readonly (readonly R[])[] {
  const sizeOf = ({ answers }: R) => Buffer.byteLength(JSON.stringify(answers));
  return toBatches(responses, { items: MAX_RESPONSES, bytes: MAX_BYTES, sizeOf });
}
