import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from './is-object.ts';
import { parseChecked } from './parse-checked.ts';

/** The object that we wrote a JSON text from. Throws `SyntaxError`. */
export function parseWritten(text: string): JsonObject {
  return parseChecked(text) as JsonObject;
}

/** The object of a JSON text; undefined when it is none. What a client wrote is for `parseJson`, which tells what is wrong. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parse(text);
  return isObject(value) ? value : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseChecked(text);
  } catch {
    return undefined;
  }
}
