import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse } from 'uuid';

/** Namespace of ids derived from an import's id (UUID version 5, RFC 9562). */
const DERIVED_IDS = parse('0de0da48-44b6-4937-a5d6-0f06a39d8811');

/** Ids derived from an origin, so that a repeated import creates no duplicates. */
export interface DerivedIds {
  /** The id of the response at a position in the file. */
  responseAt(index: number): string;
  /** The next id for a question, option or other part of a survey. The sequence is the same each time. */
  next(): string;
  /** The id of the job that runs the import. */
  job(): string;
}

export function createDerivedIds(origin: string): DerivedIds {
  const derive = (kind: string, position: number) => uuidOf(DERIVED_IDS, JSON.stringify([origin, kind, position]));
  let count = 0;
  return {
    responseAt: (index) => derive('response', index),
    job: () => derive('job', 0),
    next() {
      count += 1;
      return derive('part', count);
    },
  };
}
