import type { JsonObject } from '@bufbuild/protobuf';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';

/** The questions of a creation payload, at most as many as a survey can have. */
export function questionsOf(payload: JsonObject): readonly JsonObject[] {
  // Parts of a JSON payload are JSON.
  return readDefinition(payload).questions.map(({ source }) => source as JsonObject);
}
