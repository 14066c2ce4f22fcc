import { type DescField, type DescMessage, type JsonValue, type MessageShape, toJson } from '@bufbuild/protobuf';
import { isObject } from '../json/is-object.ts';
import { isTimestamp, nestedFields } from './json-form.ts';

/**
 * Converts a message to the API's JSON: names as in the proto, defaults included, timestamps with milliseconds and `Z`.
 */
export function messageToJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonValue {
  return withMilliseconds(schema, toJson(schema, message, { alwaysEmitImplicit: true, useProtoFieldName: true }));
}

/** Converts one field, the `response_body` of a route. Throws if it is a message that the handler did not set. */
export function fieldToJson(field: DescField, message: MessageShape<DescMessage>): JsonValue {
  const json = messageToJson(field.parent, message);
  const value = isObject(json) ? json[field.name] : undefined;
  if (value === undefined) throw new Error(`${field.parent.typeName}.${field.name} is not set`);
  return value;
}

const timestamped = new WeakMap<DescMessage, boolean>();

function hasTimestamps(schema: DescMessage): boolean {
  const known = timestamped.get(schema);
  if (known !== undefined) return known;
  const result = nestedFields(schema.fields).some(({ message }) => isTimestamp(message));
  timestamped.set(schema, result);
  return result;
}

/** Normalizes timestamps in place, because `toJson` writes 0, 3, 6 or 9 digits. */
function withMilliseconds(schema: DescMessage, json: JsonValue): JsonValue {
  if (isTimestamp(schema)) return typeof json === 'string' ? toMilliseconds(json) : json;
  if (!isObject(json) || !hasTimestamps(schema)) return json;
  for (const { name, fieldKind, message: inner } of schema.fields) {
    const value = json[name];
    if (inner === undefined || value === undefined) continue;
    const rewrite = (item: JsonValue) => withMilliseconds(inner, item);
    if (fieldKind === 'list' && Array.isArray(value)) json[name] = value.map(rewrite);
    else if (fieldKind === 'map' && isObject(value))
      json[name] = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item)]));
    else json[name] = rewrite(value);
  }
  return json;
}

function toMilliseconds(timestamp: string): string {
  // Fast path: already in the format of `Date`.
  return /\.\d{3}Z$/.test(timestamp) ? timestamp : new Date(timestamp).toISOString();
}
