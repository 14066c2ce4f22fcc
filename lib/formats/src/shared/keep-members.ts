import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import type { Warn } from './reader.ts';
import { toSourceData } from './source-data.ts';

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
