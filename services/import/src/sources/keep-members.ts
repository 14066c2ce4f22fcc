import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import type { Warn } from './reader.ts';
import { toSourceData } from './source-data.ts';

/** Gives the members of an object that are not taken, to be kept as source data; of those that say something it warns. */
export type KeepMembers = (owner: JsonObject, taken: ReadonlySet<string>, path: string) => JsonObject;

export function createKeepMembers(warn: Warn): KeepMembers {
  const told = new Set<string>();
  return (owner, taken, path) => {
    const kept = Object.entries(owner).filter(([name]) => !taken.has(name));
    const names = kept.flatMap(([name, value]) => (saysNothing(value) || told.has(name) ? [] : [name]));
    for (const name of names) told.add(name);
    if (names.length > 0) {
      const detail = `Kept in source_data, without a meaning here, now and where it comes again: ${names.join(', ')}`;
      warn({ path, code: 'KEPT_AS_SOURCE_DATA', detail });
    }
    return toSourceData(Object.fromEntries(kept));
  };
}

/** A switch that is off, or nothing at all. */
function saysNothing(value: JsonValue): boolean {
  return value === false || isUnanswered(value);
}
