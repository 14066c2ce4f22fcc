import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';

/** Levels of arrays and objects that stay in `source_data`; a definition may have 32 in all, and a question is at the sixth. */
const MAX_LEVELS = 16;

/** What is kept of another tool, by name; what is nested too deep for a definition becomes the text of its JSON. */
export function toSourceData(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toShallow(value)]));
}

/** A value that a definition has room for: what is nested too deep becomes the text of its JSON. */
export function toShallow(value: JsonValue): JsonValue {
  return isDeep(value) ? JSON.stringify(value) : value;
}

/** With the members that are named like one of the reader's own, or like `under`, under that name. */
export function keepApart(members: JsonObject, own: ReadonlySet<string>, under: string): JsonObject {
  const { apart = [], others = [] } = Object.groupBy(Object.entries(members), ([name]) =>
    own.has(name) || name === under ? 'apart' : 'others',
  );
  if (apart.length === 0) return members;
  return Object.fromEntries([...others, [under, Object.fromEntries(apart)]]);
}

/** The `source_data` of a part of a definition. */
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

/** A part of a definition with more in its `source_data`. */
export function withSource(part: JsonObject, more: JsonObject): JsonObject {
  return { ...part, source_data: { ...sourceDataOf(part), ...more } };
}
