import type { ResponseDocument } from './response-store.ts';

/** Upper bound for a document without answers and events, and for an event without its body. */
const OTHER_FIELDS_BYTES = 2048;

/** Estimates the size of a document in bytes, slightly too high. Measuring it would cost half as much as writing it. */
export function bytesOf({ data, metadata, outbox }: Pick<ResponseDocument, 'data' | 'metadata' | 'outbox'>): number {
  const answers = data.ct.length() + (metadata?.ct.length() ?? 0);
  return outbox.reduce((sum, { value }) => sum + value.length() + OTHER_FIELDS_BYTES, answers + OTHER_FIELDS_BYTES);
}
