import { v5, validate } from 'uuid';

/** Namespace of ids that follow from the ids in files (RFC 9562, version 5): ours, made once. */
const IMPORTED_IDS = '0d1c2f0a-3d0f-4b5e-9d53-6f6f0f1b7a42';

export interface ResponseIds {
  readonly id: string;
  readonly externalId: string | undefined;
}

interface Options {
  readonly tenantId: string;
  readonly surveyId: string;
  /** Whether a UUID stays, and another id always leads to the same UUID. */
  readonly preserve: boolean;
  readonly newId: () => string;
}

/** An id of a file as it is compared: a UUID is the same one however it is written (RFC 9562). */
export function toComparableId(id: string): string {
  return validate(id) ? id.toLowerCase() : id;
}

/** Gives a response its id, from the one that it has in the file (empty when none). */
export function createResponseIds({ tenantId, surveyId, preserve, newId }: Options): (id: string) => ResponseIds {
  return (id) => {
    if (id === '') return { id: newId(), externalId: undefined };
    if (!preserve) return { id: newId(), externalId: id };
    if (validate(id)) return { id: toComparableId(id), externalId: undefined };
    return { id: v5(`${tenantId} ${surveyId} ${id}`, IMPORTED_IDS), externalId: id };
  };
}
