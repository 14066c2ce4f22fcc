import type { JsonObject } from '@bufbuild/protobuf';

/** Merges changed answers into the stored ones. A changed answer replaces the stored one entirely; null removes it. */
export function mergeAnswers(answers: JsonObject, change: JsonObject): JsonObject {
  const merged = Object.entries({ ...answers, ...change });
  return Object.fromEntries(merged.filter(([, answer]) => answer !== null));
}
