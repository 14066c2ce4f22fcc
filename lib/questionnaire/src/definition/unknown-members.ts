import { isAbsent, isArray, isObject, type JsonObject, setMember } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { alternativeOf, check, variantOf } from '../schema/check.ts';
import { payload, survey } from '../schema/definition-schema.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { freeMembers } from '../schema/texts.ts';
import { nearestName } from './nearest-name.ts';

/** A member that is unknown to the schema of its object. */
interface UnknownMember {
  /** JSON pointer from the payload's root. */
  readonly path: string;
  /** For people: `"requierd" is not a member of a question`. */
  readonly detail: string;
  /** The known member with the most similar name; undefined if none is similar. */
  readonly nearest: string | undefined;
}

/** The first `LIMITS.problems` unknown members of a definition. Takes any JSON value. */
export function findUnknownMembers(definition: unknown): readonly UnknownMember[] {
  const found: UnknownMember[] = [];
  check(payload, definition, {
    add: () => {},
    addUnknownMember: (owner, path, name) => found.push({ path, ...describeUnknown(owner, name) }),
    addTranslations: () => {},
    setSubject: () => {},
    isFull: () => found.length >= LIMITS.problems,
  });
  return found;
}

/** Describes an unknown member, with the most similar known one. */
export function describeUnknown(
  { noun, members, ignored }: ObjectSchema,
  name: string,
): Pick<UnknownMember, 'detail' | 'nearest'> {
  // Members with free content, such as `metadata`, are no candidates: a misspelt name rarely means one of them.
  const candidates = [...Object.keys(members), ...ignored].filter((member) => !Object.hasOwn(freeMembers, member));
  return { detail: `${JSON.stringify(name)} is not a member of ${noun}`, nearest: nearestName(name, candidates) };
}

/**
 * Moves unknown members of a survey into the `metadata` of their part. If a name exists there already, the old
 * `metadata` moves to `metadata.metadata`. Members next to `survey` stay.
 *
 * @param keep converts a moved value to one that can be stored
 */
export function moveUnknownMembers<Value>(definition: JsonObject, keep: (value: unknown) => Value): JsonObject {
  return isObject(definition.survey)
    ? { ...definition, survey: withoutUnknown(survey, definition.survey, keep) }
    : definition;
}

function withoutUnknown(schema: Schema | undefined, value: unknown, keep: (value: unknown) => unknown): unknown {
  switch (schema?.kind) {
    case 'list':
      return isArray(value) ? value.map((item) => withoutUnknown(schema.items, item, keep)) : value;
    case 'union':
      return withoutUnknown(alternativeOf(schema.of, value), value, keep);
    case 'variants':
      return isObject(value) ? moveInto(variantOf(schema, value), value, keep) : value;
    case 'object':
      return isObject(value) ? moveInto(schema, value, keep) : value;
    default:
      return value;
  }
}

function moveInto(
  { members, ignored }: ObjectSchema,
  source: JsonObject,
  keep: (value: unknown) => unknown,
): JsonObject {
  const known: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const isKnown = Object.hasOwn(members, name) || ignored.includes(name);
    if (isKnown && !isBadMetadata(name, value)) known[name] = withoutUnknown(members[name]?.schema, value, keep);
    else setMember(unknown, name, keep(value));
  }
  if (Object.keys(unknown).length === 0) return known;
  const before = isObject(known['metadata']) ? known['metadata'] : {};
  const isTaken = Object.keys(unknown).some((name) => Object.hasOwn(before, name));
  return { ...known, metadata: isTaken ? { ...unknown, metadata: before } : { ...before, ...unknown } };
}

function isBadMetadata(name: string, value: unknown): boolean {
  return name === 'metadata' && !isAbsent(value) && !isObject(value);
}
