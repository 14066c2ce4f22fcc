import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from './warn-once.ts';

/** As much as a response may have, as JSON. */
export const MAX_METADATA = 16 * 1024;

/** What a tool tells of a response beside its answers; undefined when that is nothing, or more than is kept of one. */
export function fitMetadata(metadata: JsonObject, warnOnce: WarnOnce, path = ''): JsonObject | undefined {
  if (Object.keys(metadata).length === 0) return undefined;
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA) return metadata;
  const detail = `What a response tells beside its answers is left out where it takes more than ${MAX_METADATA} bytes`;
  warnOnce('metadata', { path, code: 'NOT_IMPORTED', detail });
  return undefined;
}
