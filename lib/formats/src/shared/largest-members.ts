import type { JsonValue } from '@bufbuild/protobuf';

const MAX_LIST_CHARACTERS = 200;

/**
 * Returns the names of the largest members, as few as possible, that together have at least `bytes` bytes of JSON. If
 * all have less, returns all names.
 */
export function namesOfLargestMembers(
  members: readonly (readonly [name: string, value: JsonValue])[],
  bytes: number,
): ReadonlySet<string> {
  const sizes = new Map<string, number>();
  for (const [name, value] of members) {
    sizes.set(name, (sizes.get(name) ?? 0) + bytesOf(name) + bytesOf(value));
  }
  const names = new Set<string>();
  let left = bytes;
  for (const [name, size] of [...sizes].toSorted(([, one], [, other]) => other - one)) {
    if (left <= 0) break;
    names.add(name);
    left -= size;
  }
  return names;
}

/** Joins names for a warning. The result is cut off, because names can be long and many. */
export function listNames(names: ReadonlySet<string>): string {
  return [...names].join(', ').slice(0, MAX_LIST_CHARACTERS);
}

export function bytesOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}
