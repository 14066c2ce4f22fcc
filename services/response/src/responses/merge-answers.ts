import type { JsonObject } from '@bufbuild/protobuf';

/** Answers after a change of some of them: each takes the place of the one before as a whole, null takes it away. */
export function mergeAnswers(answers: JsonObject, change: JsonObject): JsonObject {
  const merged = Object.entries({ ...answers, ...change });
  return Object.fromEntries(merged.filter(([, answer]) => answer !== null));
}
