import type { JsonObject } from './json.ts';
import { payload, survey } from './schema/definition-schema.ts';
import { type JsonSchemas, toJsonSchema } from './schema/json-schema.ts';

/** The JSON Schema (2020-12) of the payload that creates a survey. */
export function definitionJsonSchema(): JsonObject {
  const { root, named } = toJsonSchema(payload, 'json-schema');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:survey:schemas:definition-1.0',
    title: 'Survey',
    ...root,
    $defs: named,
  };
}

/** The schemas of OpenAPI for the definition of a survey, by name. The first one is `SurveyDefinition`. */
export function definitionComponents(): JsonSchemas['named'] {
  return toJsonSchema(survey, 'openapi').named;
}
