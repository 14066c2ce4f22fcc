import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { toPointerToken } from './pointer.ts';

/** One difference between two JSON objects. */
export interface Difference {
  /** JSON pointer (RFC 6901), with long names cut. */
  readonly path: string;
  /** Undefined if the member is new. */
  readonly before: JsonValue | undefined;
  /** Undefined if the member was removed. */
  readonly after: JsonValue | undefined;
}

/**
 * Yields the differences of two JSON objects: removed, added and changed members. Nested objects are compared by
 * member, nested arrays by index.
 */
export function* differencesOf(before: JsonObject, after: JsonObject): Generator<Difference, void> {
  // An explicit stack: recursion would overflow on deeply nested values.
  const stack = [membersOf('', before, after)];
  for (let members = stack.at(-1); members !== undefined; members = stack.at(-1)) {
    const { value: member } = members.next();
    if (member === undefined) stack.pop();
    else if (areBothNested(member)) stack.push(membersOf(member.path, member.before, member.after));
    else if (member.before !== member.after) yield member;
  }
}

/** Pairs the members of two objects by name: first those of `before`, then those that only `after` has. */
function* membersOf(path: string, before: JsonObject, after: JsonObject): Generator<Difference, undefined> {
  for (const name of Object.keys(before)) {
    const newValue = Object.hasOwn(after, name) ? after[name] : undefined;
    yield { path: path + toPointerToken(name), before: before[name], after: newValue };
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    yield { path: path + toPointerToken(name), before: undefined, after: after[name] };
  }
}

/** Whether both values are objects, or both are arrays, whose indexes count as names. */
function areBothNested(member: {
  readonly before: unknown;
  readonly after: unknown;
}): member is { readonly before: JsonObject; readonly after: JsonObject } {
  const { before, after } = member;
  return isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
