import type { JsonObject } from '@bufbuild/protobuf';

/** A type of event that webhooks can be sent. */
export interface EventType {
  readonly name: string;
  /** When it happens. */
  readonly description: string;
  /** JSON Schema (2020-12) of its `data`. */
  readonly schema: JsonObject;
  /** An example of its `data`. */
  readonly example: JsonObject;
}

export const EXAMPLE_SURVEY_ID = '0198c0de-5a1e-7000-8000-000000000001';

/** An object with all of these members, but those named optional. Receivers should pass over members they do not know. */
export function objectSchema(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

/** The schema of the `data` of a type of event, as a document of its own. */
export function toSchema(name: string, object: JsonObject): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...object };
}

export const uuid = (description: string): JsonObject => ({ type: 'string', format: 'uuid', description });
export const text = (description: string): JsonObject => ({ type: 'string', description });
export const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description });
export const version = (description: string): JsonObject => ({ type: 'integer', minimum: 1, description });
export const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });
export const oneOf = (values: readonly string[], description: string): JsonObject => ({
  type: 'string',
  enum: [...values],
  description,
});
