import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from './is-object.ts';
import { parseTrusted } from './parse-trusted.ts';

/** Parses an object from JSON that we wrote. Throws `SyntaxError`. */
export function parseOwnObject(text: string): JsonObject {
  return parseTrusted(text) as JsonObject;
}

/** Parses an object; undefined if the text is not one. For JSON of clients use `parseJson`, which reports problems. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parse(text);
  return isObject(value) ? value : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseTrusted(text);
  } catch {
    return undefined;
  }
}
