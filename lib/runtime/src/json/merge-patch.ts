import type { JsonValue } from '@bufbuild/protobuf';
import { isObject } from './is-object.ts';

/** Applies a JSON merge patch (RFC 7396): null removes a member, any other value sets it. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
