import { normalize, toNfc } from '@survey/questionnaire/answers/plain-text';
import { LIMITS } from '@survey/questionnaire/limits';

/** Makes a valid, unique id of a name in another tool. The same names in the same order give the same ids. */
export type ToUniqueId = (name: string) => string;

const SUFFIX_LENGTH = 8;

/** Makes ids for questions, pages and sections: unique, characters `A-Z a-z 0-9 _ . -`. */
export function createUniqueIds(): ToUniqueId {
  const unique = createUnique();
  return (name) => {
    const fit = normalize(name, 'NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .slice(0, LIMITS.id - SUFFIX_LENGTH);
    return unique(/[A-Za-z0-9]/.test(fit) ? fit : `q${fit}`);
  };
}

/** Makes ids for the options, rows or columns of a question: unique, not empty, not the reserved `other`. */
export function createUniqueOptionIds(): ToUniqueId {
  const unique = createUnique();
  return (name) => {
    const fit = toNfc(name).trim();
    if (fit === '') return unique('option');
    return unique(fit === 'other' ? 'other_option' : fit);
  };
}

function createUnique(): ToUniqueId {
  const taken = new Set<string>();
  const lastOf = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let last = lastOf.get(wanted) ?? 1;
    while (taken.has(id)) {
      last += 1;
      id = `${wanted}_${last}`;
    }
    lastOf.set(wanted, last);
    taken.add(id);
    return id;
  };
}
