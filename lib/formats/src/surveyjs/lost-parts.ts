import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, setMember } from '@survey/questionnaire/json';

/** Locates the answer to a question in a member of a SurveyJS result. */
export interface AnswerLocation {
  /** Path in the member's value; empty for the whole value. */
  readonly path: readonly string[];
  /** Name of the column, if the question has one column of all rows. */
  readonly column?: string;
}

/** Returns the parts of a member's value that no question takes; undefined if there are none. */
type FindLostParts = (value: JsonValue) => JsonValue | undefined;

/**
 * Creates a search for the parts of a member's value that belong to no question. An example is a text or a column that
 * was removed from the survey.
 *
 * @param locations locations of the answers to all questions of the member
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
  const partsOfNonObject = (value: JsonValue) => (columns.size > 0 ? undefined : value);
  return (value) => (isObject(value) ? pick(value as JsonObject, partsOf) : partsOfNonObject(value));
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
