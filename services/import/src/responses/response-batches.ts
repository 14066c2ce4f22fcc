import { type FileResponse, isRefused, sizeOf } from './file-response.ts';

const MAX_RESPONSES = 200;
/** As JSON, which is what is sent. */
const MAX_BYTES = 1024 * 1024;

/**
 * The responses of a file, in their order, in batches that one call may carry; those that are refused count, so that the
 * same file is always cut the same way.
 *
 * @param skip how many of them are left out, from the beginning
 */
export async function* toResponseBatches<R extends FileResponse>(
  responses: AsyncIterable<R>,
  skip: number,
): AsyncGenerator<readonly R[]> {
  let batch: R[] = [];
  let bytes = 0;
  let position = 0;
  try {
    for await (const response of responses) {
      position += 1;
      if (position <= skip) continue;
      const size = isRefused(response) ? 0 : sizeOf(response);
      if (batch.length === MAX_RESPONSES || (batch.length > 0 && bytes + size > MAX_BYTES)) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(response);
      bytes += size;
    }
  } catch (error) {
    // What came before the place that cannot be read counts.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
