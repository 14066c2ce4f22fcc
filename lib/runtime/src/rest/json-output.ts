import { type DescField, type DescMessage, type JsonValue, type MessageShape, toJson } from '@bufbuild/protobuf';

/** Writes a message as the API's JSON: names as in the proto, defaults written, timestamps with milliseconds and `Z`. */
export function messageToJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonValue {
  const json = toJson(schema, message, { alwaysEmitImplicit: true, useProtoFieldName: true });
  if (hasTimestamps(schema)) writeMilliseconds(schema, json);
  return json;
}

/** Writes one field of a message. Throws when a message field is not set: its handler forgot it. */
export function fieldToJson(field: DescField, message: MessageShape<DescMessage>): JsonValue {
  const json = messageToJson(field.parent, message);
  const value = isJsonObject(json) ? json[field.name] : undefined;
  if (value === undefined) throw new Error(`${field.parent.typeName}.${field.name} is not set`);
  return value;
}

const timestamped = new WeakMap<DescMessage, boolean>();

function hasTimestamps(schema: DescMessage): boolean {
  const known = timestamped.get(schema);
  if (known !== undefined) return known;
  timestamped.set(schema, false); // ends the walk where messages nest in themselves
  const result = schema.fields.some(
    ({ message }) => message !== undefined && (isTimestamp(message) || hasTimestamps(message)),
  );
  timestamped.set(schema, result);
  return result;
}

/** Rewrites the timestamps that `toJson` wrote with as many digits as each needs. */
function writeMilliseconds(schema: DescMessage, json: JsonValue | undefined): void {
  if (!isJsonObject(json)) return;
  for (const field of schema.fields) {
    const value = json[field.name];
    if (field.message === undefined || value === undefined) continue;
    if (isTimestamp(field.message)) {
      json[field.name] = Array.isArray(value) ? value.map(milliseconds) : milliseconds(value);
    } else if (hasTimestamps(field.message)) {
      for (const item of field.fieldKind === 'list' && Array.isArray(value) ? value : [value])
        writeMilliseconds(field.message, item);
    }
  }
}

function milliseconds(value: JsonValue): JsonValue {
  return typeof value === 'string' ? new Date(value).toISOString() : value;
}

function isTimestamp(schema: DescMessage): boolean {
  return schema.typeName === 'google.protobuf.Timestamp';
}

function isJsonObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
