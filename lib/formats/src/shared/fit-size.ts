import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { bytesOf, listNames, namesOfLargestMembers } from './largest-members.ts';
import type { Warn } from './reader.ts';

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
  const mapOf = (owner: JsonValue | undefined): JsonObject => {
    if (!isObject(owner)) return {};
    const data = owner['source_data'];
    return isObject(data) ? { ...owner, source_data: map(data) } : owner;
  };
  const survey = mapOf(payload['survey']);
  const pages = Array.isArray(survey['pages']) ? survey['pages'] : [];
  return {
    ...payload,
    survey: {
      ...survey,
      pages: pages.map((page) => {
        const questions = isObject(page) && Array.isArray(page['questions']) ? page['questions'] : [];
        return { ...mapOf(page), questions: questions.map(mapOf) };
      }),
    },
  };
}
