import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse, validate } from 'uuid';
import type { ReadResponse } from './file-response.ts';

/** Namespace of ids that follow from the ids in files (RFC 9562, version 5): ours, made once. */
const IMPORTED_IDS = parse('0d1c2f0a-3d0f-4b5e-9d53-6f6f0f1b7a42');

export interface ResponseIds {
  readonly id: string;
  readonly externalId: string | undefined;
}

interface Options {
  readonly tenantId: string;
  readonly surveyId: string;
  /** Whether a UUID stays, and another id always leads to the same UUID. */
  readonly preserve: boolean;
  /** A new id for the response at a position in the file. */
  readonly newIdAt: (index: number) => string;
}

/** The ids of a response in a file, and where it stands there. */
type InFile = Pick<ReadResponse, 'index' | 'id' | 'externalId'>;

/** An id of a file as it is compared: a UUID is the same one however it is written (RFC 9562). */
export function toComparableId(id: string): string {
  return validate(id) ? id.toLowerCase() : id;
}

/** Gives a response its ids, from those that it has in the file. An id of a file before this one says more than its own. */
export function createResponseIds({ tenantId, surveyId, preserve, newIdAt }: Options): (inFile: InFile) => ResponseIds {
  return ({ index, id, externalId }) => {
    if (id === '') return { id: newIdAt(index), externalId };
    if (!preserve) return { id: newIdAt(index), externalId: externalId ?? id };
    if (validate(id)) return { id: toComparableId(id), externalId };
    return { id: uuidOf(IMPORTED_IDS, `${tenantId} ${surveyId} ${id}`), externalId: id };
  };
}
