import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse } from 'uuid';

/** Namespace of ids that follow from an import's (RFC 9562, version 5): ours, made once. */
const DERIVED_IDS = parse('0de0da48-44b6-4937-a5d6-0f06a39d8811');

/** Ids that follow from another one, so that an import which is repeated under it makes nothing anew. */
export interface DerivedIds {
  /** A new id for the response at a position in the file. */
  responseAt(index: number): string;
  /** The next new id of a question, option or what else has one: each time another, always in the same order. */
  next(): string;
  /** Of the job that runs the import. */
  job(): string;
}

export function createDerivedIds(origin: string): DerivedIds {
  const derive = (of: string, position: number) => uuidOf(DERIVED_IDS, JSON.stringify([origin, of, position]));
  let given = 0;
  return {
    responseAt: (index) => derive('response', index),
    job: () => derive('job', 0),
    next() {
      given += 1;
      return derive('part', given);
    },
  };
}
