import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { toPointerToken } from './pointer.ts';

/** A place at which two JSON objects differ. */
export interface Difference {
  /** As a JSON pointer (RFC 6901), with long names cut. */
  readonly path: string;
  /** Undefined when nothing was there. */
  readonly before: JsonValue | undefined;
  /** Undefined when nothing is there any more. */
  readonly after: JsonValue | undefined;
}

/**
 * The differences of two JSON objects, found one by one as they are asked for: members that are gone, new or another,
 * member by member where both values are objects, and index by index where both are lists. Names that every object
 * knows, such as `constructor`, are names like any other.
 */
export function* differencesOf(before: JsonObject, after: JsonObject): Generator<Difference, void> {
  // A stack of our own: that of the process has no room for values nested without end.
  const open = [placesIn('', before, after)];
  for (let places = open.at(-1); places !== undefined; places = open.at(-1)) {
    const { value: place } = places.next();
    if (place === undefined) open.pop();
    else if (haveMembers(place)) open.push(placesIn(place.path, place.before, place.after));
    else if (place.before !== place.after) yield place;
  }
}

/** The members of the first object, with what the second one has in their places, then those that it has beside. */
function* placesIn(path: string, before: JsonObject, after: JsonObject): Generator<Difference, undefined> {
  for (const name of Object.keys(before)) {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    yield { path: path + toPointerToken(name), before: before[name], after: now };
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    yield { path: path + toPointerToken(name), before: undefined, after: after[name] };
  }
}

/** Whether both values are objects, or both are lists, which are read as objects with indexes for names. */
function haveMembers(place: {
  readonly before: unknown;
  readonly after: unknown;
}): place is { readonly before: JsonObject; readonly after: JsonObject } {
  const { before, after } = place;
  return isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
