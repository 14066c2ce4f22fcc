import { isAbsent, isArray, isObject, itemsOf, type JsonObject, setMember } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { pointer } from '../pointer.ts';
import { FREE_MEMBERS, isMemberOf, PARTS, type PartName } from './members.ts';
import { nearestName } from './nearest-name.ts';

/** A member that its part of the definition cannot have. */
interface UnknownMember {
  /** JSON pointer from the payload's root. */
  readonly path: string;
  /** For people: `"requierd" is not a member of a question`. */
  readonly detail: string;
  /** The member with the most similar name. */
  readonly nearest: string | undefined;
}

interface LocatedPart {
  readonly part: PartName;
  readonly source: JsonObject;
  readonly path: string;
}

/** The paths of `metadata` members that are not objects. Takes any JSON value. */
export const findBadMetadata = (definition: unknown): readonly string[] =>
  allParts(definition)
    .filter(({ source }) => isBadMetadata('metadata', source['metadata']))
    .map(({ path }) => `${path}/metadata`)
    .toArray();

/** The first `LIMITS.problems` unknown members of a definition. Takes any JSON value. */
export const findUnknownMembers = (definition: unknown): readonly UnknownMember[] =>
  allParts(definition)
    .flatMap(({ part, source, path }) =>
      Object.keys(source)
        .filter((name) => !isMemberOf(part, name))
        .map((name) => ({ part, name, path })),
    )
    .take(LIMITS.problems)
    .map(({ part, name, path }) => describe(part, name, path))
    .toArray();

/**
 * Moves unknown members of a survey into the `metadata` of their part. If a name exists there already, the old
 * `metadata` moves to `metadata.metadata`. Members next to `survey` stay.
 *
 * @param keep converts a moved value to one that can be stored
 */
export const moveUnknownMembers = <Value>(definition: JsonObject, keep: (value: unknown) => Value): JsonObject => {
  const { survey } = definition;
  return isObject(survey) ? { ...definition, survey: withoutUnknown('survey', survey, keep) } : definition;
};

const withoutUnknown = (part: PartName, source: JsonObject, keep: (value: unknown) => unknown): JsonObject => {
  const known: Record<string, unknown> = {};
  const unknown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    const inner = partOf(part, name);
    if (inner !== undefined) known[name] = mapParts(value, (item) => withoutUnknown(inner, item, keep));
    else if (isMemberOf(part, name) && !isBadMetadata(name, value)) known[name] = value;
    else setMember(unknown, name, keep(value));
  }
  if (Object.keys(unknown).length === 0) return known;
  const before = isObject(known['metadata']) ? known['metadata'] : {};
  const isTaken = Object.keys(unknown).some((name) => Object.hasOwn(before, name));
  return { ...known, metadata: isTaken ? { ...unknown, metadata: before } : { ...before, ...unknown } };
};

const isBadMetadata = (name: string, value: unknown): boolean =>
  name === 'metadata' && !isAbsent(value) && !isObject(value);

const mapParts = (value: unknown, change: (part: JsonObject) => JsonObject): unknown => {
  if (isArray(value)) return value.map((item) => (isObject(item) ? change(item) : item));
  return isObject(value) ? change(value) : value;
};

const allParts = (definition: unknown): IteratorObject<LocatedPart> => partsOf('definition', definition, '');

function* partsOf(part: PartName, value: unknown, path: string): Generator<LocatedPart> {
  if (!isObject(value)) {
    for (const [index, item] of itemsOf(value).entries()) {
      if (isObject(item)) yield* partsOf(part, item, `${path}/${index}`);
    }
    return;
  }
  yield { part, source: value, path };
  for (const [name, inner] of Object.entries(PARTS[part].parts)) {
    yield* partsOf(inner, value[name], `${path}/${name}`);
  }
}

const partOf = (part: PartName, name: string): PartName | undefined =>
  Object.hasOwn(PARTS[part].parts, name) ? PARTS[part].parts[name] : undefined;

const describe = (part: PartName, name: string, path: string): UnknownMember => {
  const { name: partName, members, parts } = PARTS[part];
  // A misspelt name rarely means free content.
  const candidates = [...Object.keys(parts), ...members].filter((member) => !FREE_MEMBERS.includes(member));
  return {
    path: pointer(path, name),
    detail: `${JSON.stringify(name)} is not a member of ${partName}`,
    nearest: nearestName(name, candidates),
  };
};
