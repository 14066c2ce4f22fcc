import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, setMember } from '@survey/questionnaire/json';

/** The part of a member of a result that answers a question. */
export interface AnswerLocation {
  /** Path in the member; empty for the whole of it. */
  readonly path: readonly string[];
  /** Name of the column, if the question has one column of all rows. */
  readonly column?: string;
}

/** The parts of a member's value that no question takes; undefined if there are none. */
type FindLostParts = (value: JsonValue) => JsonValue | undefined;

/**
 * Creates a search for the parts of a member's value that belong to no question. An example is a text or a column that
 * was removed from the survey.
 *
 * @param locations of all questions of the member
 */
export function createFindLostParts(locations: readonly AnswerLocation[]): FindLostParts {
  if (locations.some(({ path, column }) => path.length === 0 && column === undefined)) return () => undefined;
  const columns = new Set(locations.flatMap(({ column }) => column ?? []));
  const taken = new Set(locations.map(({ path }) => keyOf(path)));
  const hasCells = columns.size > 0 || locations.some(({ path }) => path.length > 1);

  function partsOf(row: string, value: JsonValue): JsonValue | undefined {
    if (taken.has(keyOf([row]))) return undefined;
    if (!hasCells || !isObject(value)) return value;
    return pick(value as JsonObject, (column, cell) =>
      columns.has(column) || taken.has(keyOf([row, column])) ? undefined : cell,
    );
  }

  // Questions of columns read a value that is not an object as a whole, so no part of it is lost.
  const ofOther = (value: JsonValue) => (columns.size > 0 ? undefined : value);
  return (value) => (isObject(value) ? pick(value as JsonObject, partsOf) : ofOther(value));
}

/** The members for which `change` returns a value, with this value; undefined if there are none. */
function pick(
  object: JsonObject,
  change: (name: string, value: JsonValue) => JsonValue | undefined,
): JsonObject | undefined {
  const picked: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const left = isAbsent(value) ? undefined : change(name, value);
    if (left !== undefined) setMember(picked, name, left);
  }
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
