import { type ParsedResponse, toComparableId } from '@survey/formats/shared/file-response';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse, validate } from 'uuid';

/** Namespace of UUIDs derived from ids in files (RFC 9562, version 5). */
const IMPORTED_IDS = parse('0d1c2f0a-3d0f-4b5e-9d53-6f6f0f1b7a42');

export interface ResponseIds {
  readonly id: string;
  readonly externalId: string | undefined;
}

interface Options {
  readonly tenantId: string;
  readonly surveyId: string;
  /** Keeps UUIDs, and derives a stable UUID from any other id. */
  readonly preserve: boolean;
  /** Creates an id for the response at a position in the file. */
  readonly newIdAt: (index: number) => string;
}

/** Ids and position of a response in its file. */
type InFile = Pick<ParsedResponse, 'index' | 'id' | 'externalId'>;

/** Derives the ids of a response from those in the file. An `external_id` in the file wins over the id. */
export function createResponseIds({ tenantId, surveyId, preserve, newIdAt }: Options): (inFile: InFile) => ResponseIds {
  return ({ index, id, externalId }) => {
    if (id === '') return { id: newIdAt(index), externalId };
    if (!preserve) return { id: newIdAt(index), externalId: externalId ?? id };
    if (validate(id)) return { id: toComparableId(id), externalId };
    return { id: uuidOf(IMPORTED_IDS, `${tenantId} ${surveyId} ${id}`), externalId: id };
  };
}
