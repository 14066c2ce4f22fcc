import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';

/** The objects of a list; empty for other values. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return itemsOf(value).filter((item): item is JsonObject => isObject(item));
}

/** Returns `{ [name]: list }`: the list of `owner`, with each object in it changed; `{}` if there is no such list. */
export function mapObjects(owner: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = owner[name];
  return Array.isArray(list) ? { [name]: list.map((item) => (isObject(item) ? change(item) : item)) } : {};
}

/** A finite number, or a text with one. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
