import type { JsonObject } from '@bufbuild/protobuf';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';

export function questionsOf(payload: JsonObject): readonly JsonObject[] {
  // Parts of a JSON payload are JSON.
  return readDefinition(payload).questions.map(({ source }) => source as JsonObject);
}
