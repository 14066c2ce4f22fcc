import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent } from '@survey/questionnaire/json';

/** The members of an object, of which whoever reads one takes it: what nobody took has no home. */
export interface TakenMembers {
  /** Undefined when it is absent or null. */
  take(name: string): JsonValue | undefined;
  /** Without taking it. */
  peek(name: string): JsonValue | undefined;
  /** True also when written as a text. */
  takeFlag(name: string): boolean;
  /** A finite number, or a text that is one. */
  takeNumber(name: string): number | undefined;
  takeText(name: string): string | undefined;
  takeList(name: string): readonly JsonValue[];
  /** Those that nobody took. */
  rest(): JsonObject;
}

export function createTakenMembers(object: JsonObject): TakenMembers {
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
    takeNumber(name) {
      const value = take(name);
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    },
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
