import type { JsonObject } from '@bufbuild/protobuf';
import { MAX_METADATA } from './file-response.ts';
import { bytesOf, largestNames, listNames } from './largest-members.ts';
import type { WarnOnce } from './warn-once.ts';

/**
 * Removes the largest members from metadata that exceeds its limit, with a warning. Gives undefined for empty metadata.
 */
export function fitMetadata(metadata: JsonObject, warnOnce: WarnOnce, path = ''): JsonObject | undefined {
  const excess = bytesOf(metadata) - MAX_METADATA;
  if (excess <= 0) return Object.keys(metadata).length === 0 ? undefined : metadata;
  const largest = largestNames(Object.entries(metadata), excess);
  const detail = `The metadata of a response can have ${MAX_METADATA} bytes; the largest members are not imported: ${listNames(largest)}`;
  warnOnce('metadata', { path, code: 'NOT_IMPORTED', detail });
  const rest = Object.entries(metadata).filter(([name]) => !largest.has(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
