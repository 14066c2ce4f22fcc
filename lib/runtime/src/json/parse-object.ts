import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { jsonParse } from './json-parse.ts';

/** The object of a JSON text that one of our services wrote; undefined when it is none. What others wrote is for `parseJson`. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return jsonParse(text);
  } catch {
    return undefined;
  }
}
