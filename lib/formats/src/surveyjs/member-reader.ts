import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';

/** Tracks which members of an object are read, so that the rest can be kept. */
export interface MemberReader {
  /** Reads a member; undefined if absent or null. */
  take(name: string): JsonValue | undefined;
  /** Reads a member without marking it as read. */
  peek(name: string): JsonValue | undefined;
  /** Reads a flag; "true" is true. */
  takeFlag(name: string): boolean;
  /** Reads a finite number, or a text with one. */
  takeNumber(name: string): number | undefined;
  takeText(name: string): string | undefined;
  takeList(name: string): readonly JsonValue[];
  /** The members that were not read. */
  rest(): JsonObject;
}

export function createMemberReader(object: JsonObject): MemberReader {
  const left = new Map(Object.entries(object));
  const take = (name: string): JsonValue | undefined => {
    const value = left.get(name);
    left.delete(name);
    return isAbsent(value) ? undefined : value;
  };
  return {
    take,
    peek: (name) => left.get(name),
    takeFlag: (name) => /^true$/i.test(String(take(name))),
    takeNumber: (name) => numberOf(take(name)),
    takeText(name) {
      const value = take(name);
      return typeof value === 'string' && value.trim() !== '' ? value : undefined;
    },
    takeList(name) {
      const value = take(name);
      return Array.isArray(value) ? value : [];
    },
    rest: () => Object.fromEntries([...left].filter(([, value]) => !isAbsent(value))),
  };
}
