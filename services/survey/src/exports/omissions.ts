import { isAbsent } from '@survey/questionnaire/json';

/** Collects the names of members that a file omits. */
export interface Omissions {
  add(name: string): void;
  /** Adds all members of an object. */
  addAll(object: Readonly<Record<string, unknown>>, prefix: string): void;
  /** Adds the members of an object except the known ones. */
  addUnknown(object: Readonly<Record<string, unknown>>, known: readonly string[], prefix?: string): void;
  /** Unique names in alphabetical order. */
  names(): readonly string[];
}

/** Names of members come from the tenant, so only safe ones go into a header. */
const SAFE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_NAMES = 100;

export function createOmissions(): Omissions {
  const all = new Set<string>();
  const add = (name: string) => {
    if (all.size < MAX_NAMES) all.add(SAFE_NAME.test(name) ? name : 'other');
  };
  function addUnknown(object: Readonly<Record<string, unknown>>, known: readonly string[], prefix = ''): void {
    for (const [name, value] of Object.entries(object)) {
      if (!isAbsent(value) && !known.includes(name)) add(prefix + name);
    }
  }
  return {
    add,
    addAll: (object, prefix) => addUnknown(object, [], prefix),
    addUnknown,
    names: () => [...all].toSorted(),
  };
}
