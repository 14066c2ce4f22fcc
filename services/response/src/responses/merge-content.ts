import type { JsonObject } from '@bufbuild/protobuf';
import { mergePatch } from '@survey/runtime/json/merge-patch';

/** Merges changed answers into the stored ones. A changed answer replaces the stored one entirely; null removes it. */
export function mergeAnswers(answers: JsonObject, change: JsonObject): JsonObject {
  const merged = Object.entries({ ...answers, ...change });
  return Object.fromEntries(merged.filter(([, answer]) => answer !== null));
}

/** Applies a JSON merge patch to metadata. Without a patch, the metadata is removed. */
export function mergeMetadata(metadata: JsonObject | undefined, patch: JsonObject | undefined): JsonObject | undefined {
  // A merge patch that is an object results in an object.
  return patch && (mergePatch(metadata, patch) as JsonObject);
}
