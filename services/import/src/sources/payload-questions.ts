import type { JsonObject } from '@bufbuild/protobuf';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';

/** The questions of a payload, in order. */
export function questionsOf(payload: JsonObject): readonly JsonObject[] {
  // Parts of a JSON payload are JSON.
  return readDefinition(payload).questions.map(({ source }) => source as JsonObject);
}
