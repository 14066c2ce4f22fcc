import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Warn } from './reader.ts';

/** Maximum nesting of `source_data`. A definition can have 32 levels, and questions are at the sixth. */
const MAX_LEVELS = 16;

/** Prepares members for `source_data`: values that are nested too deep become JSON text. */
export function toSourceData(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toShallow(value)]));
}

/** Replaces a value that is nested too deep by its JSON text. */
export function toShallow(value: JsonValue): JsonValue {
  return isDeep(value) ? JSON.stringify(value) : value;
}

/** Moves members whose name is reserved, or equal to `under`, into an object of the name `under`. */
export function moveReserved(members: JsonObject, reserved: ReadonlySet<string>, under: string): JsonObject {
  const { apart = [], others = [] } = Object.groupBy(Object.entries(members), ([name]) =>
    reserved.has(name) || name === under ? 'apart' : 'others',
  );
  if (apart.length === 0) return members;
  return Object.fromEntries([...others, [under, Object.fromEntries(apart)]]);
}

/** The `source_data` of a question, option or other part of a survey. */
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

export function withSourceData(part: JsonObject, more: JsonObject): JsonObject {
  return { ...part, source_data: { ...sourceDataOf(part), ...more } };
}

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

/**
 * Returns the members of an object that were not converted, for `source_data`. Warns once about each name whose value
 * is not blank.
 */
export type KeepMembers = (owner: JsonObject, taken: ReadonlySet<string>, path: string) => JsonObject;

export function createKeepMembers(warn: Warn): KeepMembers {
  const reported = new Set<string>();
  return (owner, taken, path) => {
    const kept = Object.entries(owner).filter(([name]) => !taken.has(name));
    const names = kept.flatMap(([name, value]) => (isBlank(value) || reported.has(name) ? [] : [name]));
    for (const name of names) reported.add(name);
    if (names.length > 0) {
      const detail = `Members without an equivalent are kept in source_data (reported once): ${names.join(', ')}`;
      warn({ path, code: 'KEPT_AS_SOURCE_DATA', detail });
    }
    return toSourceData(Object.fromEntries(kept));
  };
}

function isBlank(value: JsonValue): boolean {
  return value === false || isUnanswered(value);
}

/** Maximum length of answers to an imported text question that has no limit in its tool. */
export const MAX_TEXT = 20_000;

/** Formats whose answers are shorter than the default maximum. */
const SHORT_FORMATS: ReadonlySet<string> = new Set(['number', 'integer', 'email']);

/** Moves a minimum length above the maximum to `source_data`: no answer would be valid. */
export function fitLengths(question: JsonObject): JsonObject {
  const { min_length: least, ...others } = question;
  const most = question['max_length'] ?? (question['type'] === 'textarea' ? LIMITS.textarea : LIMITS.text);
  return typeof least === 'number' && least > Number(most) ? withSourceData(others, { min_length: least }) : question;
}

/**
 * Raises the maximum length of text questions to `MAX_TEXT`, unless the question has its own limits. Questions of
 * `matches` conditions keep the default, because the cost of patterns grows with the maximum.
 */
export function allowLongTexts(payload: JsonObject): JsonObject {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const matched = new Set(
    itemsOf(survey['logic'])
      .flatMap((entry) => (isObject(entry) ? itemsOf(entry['conditions']) : []))
      .filter((condition) => isObject(condition))
      .filter(({ operator }) => operator === 'matches')
      .map(({ source_question: source }) => source),
  );
  const lengthen = (question: JsonObject): JsonObject => {
    if (question['type'] !== 'text' || matched.has(question['id'])) return fitLengths(question);
    const { format, max_length: limit, pattern } = question;
    const isLimited = limit !== undefined || pattern !== undefined || SHORT_FORMATS.has(String(format));
    return fitLengths(isLimited ? question : { ...question, max_length: MAX_TEXT });
  };
  return { ...payload, survey: mapQuestions(survey, lengthen) };
}

/** Converts each page, and then its questions. */
function mapQuestions(
  survey: JsonObject,
  convert: (question: JsonObject) => JsonObject,
  convertPage = (page: JsonObject): JsonObject => page,
): JsonObject {
  const pages = mapObjects(survey, 'pages', (page) => ({
    ...convertPage(page),
    ...mapObjects(page, 'questions', convert),
  }));
  return { ...survey, ...pages };
}

/** Returns `{ [name]: list }`: the list of `owner`, with each object in it changed; `{}` if there is no such list. */
export function mapObjects(owner: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = owner[name];
  return Array.isArray(list) ? { [name]: list.map((item) => (isObject(item) ? change(item) : item)) } : {};
}

/**
 * Removes members of `source_data`, until the survey can be stored.
 *
 * @param needed members that are never removed, because responses are matched by them
 */
export function fitSize(payload: JsonObject, needed: ReadonlySet<string>, warn: Warn): JsonObject {
  const excess = bytesOf(payload) - LIMITS.definitionBytes;
  if (excess <= 0) return payload;
  const removable: (readonly [string, JsonValue])[] = [];
  mapSourceData(payload, (data) => {
    removable.push(...Object.entries(data).filter(([name]) => !needed.has(name)));
    return data;
  });
  const largest = namesOfLargestMembers(removable, excess);
  if (largest.size === 0) return payload;
  const detail = `The survey would have more than ${LIMITS.definitionBytes} bytes; these members of source_data are not imported: ${listNames(largest)}`;
  warn({ path: '', code: 'NOT_IMPORTED', detail });
  return mapSourceData(payload, (data) =>
    Object.fromEntries(Object.entries(data).filter(([name]) => !largest.has(name))),
  );
}

function mapSourceData(payload: JsonObject, map: (data: JsonObject) => JsonObject): JsonObject {
  const mapOf = (owner: JsonObject): JsonObject => {
    const data = owner['source_data'];
    return isObject(data) ? { ...owner, source_data: map(data) } : owner;
  };
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  return { ...payload, survey: mapQuestions(mapOf(survey), mapOf, mapOf) };
}
