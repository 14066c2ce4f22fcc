import { LIMITS } from '@survey/questionnaire/limits';

/** Gives what another tool calls a thing an id of ours: the same for the same names in the same order. */
export type FitId = (name: string) => string;

const SUFFIX_ROOM = 8;

/** Ids of questions, pages and sections: unique, of `A-Z a-z 0-9 _ . -`. */
export function createFitIds(): FitId {
  const unique = createUnique();
  return (name) => {
    const fit = name
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .slice(0, LIMITS.id - SUFFIX_ROOM);
    return unique(/[A-Za-z0-9]/.test(fit) ? fit : `q${fit}`);
  };
}

/** Ids of the options, rows or columns of one question: unique, not empty, and not the one that is reserved. */
export function createFitOptionIds(): FitId {
  const unique = createUnique();
  return (name) => {
    const fit = name.normalize('NFC').trim();
    if (fit === '') return unique('option');
    return unique(fit === 'other' ? 'other_option' : fit);
  };
}

function createUnique(): FitId {
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
