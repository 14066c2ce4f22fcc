import type { JsonObject } from '@bufbuild/protobuf';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';

/** The questions of a payload in their order. */
export function questionsOf(payload: JsonObject): readonly JsonObject[] {
  // What is read of JSON is JSON.
  return readDefinition(payload).questions.map(({ source }) => source as JsonObject);
}
