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
    setQuestion: () => {},
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
 * @param toStored converts a moved value to one that can be stored
 */
export function moveUnknownMembers<Value>(definition: JsonObject, toStored: (value: unknown) => Value): JsonObject {
  return isObject(definition.survey)
    ? { ...definition, survey: moveUnknown(survey, definition.survey, toStored) }
    : definition;
}

function moveUnknown(schema: Schema | undefined, value: unknown, toStored: (value: unknown) => unknown): unknown {
  switch (schema?.kind) {
    case 'list':
      return isArray(value) ? value.map((item) => moveUnknown(schema.items, item, toStored)) : value;
    case 'union':
      return moveUnknown(alternativeOf(schema.of, value), value, toStored);
    case 'variants':
      return isObject(value) ? moveToMetadata(variantOf(schema, value), value, toStored) : value;
    case 'object':
      return isObject(value) ? moveToMetadata(schema, value, toStored) : value;
    default:
      return value;
  }
}

function moveToMetadata(
  { members, ignored }: ObjectSchema,
  source: JsonObject,
  toStored: (value: unknown) => unknown,
): JsonObject {
  const known: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const isKnown = Object.hasOwn(members, name) || ignored.includes(name);
    if (isKnown && !isBadMetadata(name, value)) known[name] = moveUnknown(members[name]?.schema, value, toStored);
    else setMember(unknown, name, toStored(value));
  }
  if (Object.keys(unknown).length === 0) return known;
  const metadata = isObject(known['metadata']) ? known['metadata'] : {};
  const isTaken = Object.keys(unknown).some((name) => Object.hasOwn(metadata, name));
  return { ...known, metadata: isTaken ? { ...unknown, metadata } : { ...metadata, ...unknown } };
}

/** Whether a value cannot be the `metadata` of a part, so it is moved like an unknown member. */
function isBadMetadata(name: string, value: unknown): boolean {
  return name === 'metadata' && !isAbsent(value) && !isObject(value);
}
