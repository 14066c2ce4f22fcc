import { isAbsent } from '@survey/questionnaire/json';

/** Notes what a file leaves out, by the names of the members that it has no column for. */
export interface Omissions {
  add(name: string): void;
  /** Notes the members of an object that are there and none of the known ones. */
  addOthers(object: Readonly<Record<string, unknown>>, known: readonly string[], prefix?: string): void;
  /** Each name once, in the order of the alphabet. */
  names(): readonly string[];
}

/** Names are the tenant's own words, and these go into a header. */
const TOKEN = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_NAMES = 100;

export function createOmissions(): Omissions {
  const all = new Set<string>();
  const add = (name: string) => {
    if (all.size < MAX_NAMES) all.add(TOKEN.test(name) ? name : 'other');
  };
  return {
    add,
    addOthers(object, known, prefix = '') {
      for (const [name, value] of Object.entries(object)) {
        if (!isAbsent(value) && !known.includes(name)) add(prefix + name);
      }
    },
    names: () => [...all].toSorted(),
  };
}
