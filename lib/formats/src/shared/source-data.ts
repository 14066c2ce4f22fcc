import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';

/** Maximum nesting of `source_data`. A definition can have 32 levels, and questions are at the sixth. */
const MAX_LEVELS = 16;

/** Prepares members for `source_data`: values that are nested too deep become JSON text. */
export function toSourceData(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toShallow(value)]));
}

/** Replaces a value that is nested too deep by its JSON text. */
export function toShallow(value: JsonValue): JsonValue {
  return isDeep(value) ? JSON.stringify(value) : value;
}

/** Moves members whose name is reserved, or equal to `under`, into an object of the name `under`. */
export function moveReserved(members: JsonObject, reserved: ReadonlySet<string>, under: string): JsonObject {
  const { apart = [], others = [] } = Object.groupBy(Object.entries(members), ([name]) =>
    reserved.has(name) || name === under ? 'apart' : 'others',
  );
  if (apart.length === 0) return members;
  return Object.fromEntries([...others, [under, Object.fromEntries(apart)]]);
}

export function sourceDataOf(part: JsonObject): JsonObject {
  const kept = part['source_data'];
  return isObject(kept) ? kept : {};
}

function isDeep(root: JsonValue): boolean {
  let level: readonly JsonValue[] = [root];
  for (let depth = 0; depth < MAX_LEVELS; depth += 1) {
    level = level.flatMap((value) => {
      if (Array.isArray(value)) return value;
      return isObject(value) ? Object.values(value) : [];
    });
    if (level.length === 0) return false;
  }
  return true;
}

export function withSourceData(part: JsonObject, more: JsonObject): JsonObject {
  return { ...part, source_data: { ...sourceDataOf(part), ...more } };
}
