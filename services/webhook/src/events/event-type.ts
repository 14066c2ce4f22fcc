import type { JsonObject } from '@bufbuild/protobuf';
import { toChangeMembers } from '@survey/runtime/kafka/outbox-event';

/** An event type that webhooks can subscribe to. */
export interface EventType {
  readonly name: string;
  /** The change that the event reports. */
  readonly description: string;
  /** JSON Schema (2020-12) of the `data` of events. */
  readonly schema: JsonObject;
  readonly example: JsonObject;
}

const EXAMPLE_CHANGE_TIME = new Date('2026-01-31T12:01:30.000Z');
export const EXAMPLE_SURVEY_ID = '0198c0de-5a1e-7000-8000-000000000001';

/** Schema of an object. All members but the optional ones are required. Receivers should ignore unknown members. */
export function objectSchema(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

/** Defines an event type. Its `data` has the given members, `occurred_at` and `revision`. */
export function eventType({
  name,
  description,
  properties,
  optional = [],
  example,
}: {
  readonly name: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly optional?: readonly string[];
  readonly example: JsonObject;
}): EventType {
  const object = objectSchema({ ...properties, ...change }, optional);
  return {
    name,
    description,
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...object },
    example: { ...example, ...toChangeMembers(EXAMPLE_CHANGE_TIME, 1) },
  };
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

const change: JsonObject = {
  occurred_at: time('The time of the change. Use it to order events of different records approximately.'),
  revision: version(
    'Revision of the record after the change. Of two events of a record, the one with the higher revision is newer.',
  ),
};
