import type { ResponseDocument } from './response-store.ts';

/** Everything of a document, and of each of its events, that is no answer and not the body of the event, takes less. */
const REST_BYTES = 2048;

/** A little more than a document takes, for bounds on what waits. To measure it costs half of what it costs to write it. */
export function bytesOf({ data, metadata, outbox }: Pick<ResponseDocument, 'data' | 'metadata' | 'outbox'>): number {
  const answers = data.ct.length() + (metadata?.ct.length() ?? 0);
  return outbox.reduce((sum, { value }) => sum + value.length() + REST_BYTES, answers + REST_BYTES);
}
