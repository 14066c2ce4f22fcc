import type { JsonObject } from '@bufbuild/protobuf';
import { toComparableId } from './response-ids.ts';

/** A response as a file has it. */
export interface ReadResponse {
  /** Position in the file, from 0. */
  readonly index: number;
  /** Its id in the file, empty when it has none. */
  readonly id: string;
  /** Question id → value, as the file has it. */
  readonly answers: JsonObject;
  readonly submittedAt: Date | undefined;
}

/** A response that will not be stored, and why. */
export interface RefusedResponse {
  readonly index: number;
  readonly id: string;
  readonly code: string;
  readonly detail: string;
}

export type FileResponse = ReadResponse | RefusedResponse;

export function isRefused(response: FileResponse): response is RefusedResponse {
  return 'code' in response;
}

const MAX_ID = 256;
const MAX_BYTES = 1024 * 1024;

/** The responses, but for those that no survey could take: too long an id, one that came before, too many answers. */
export function refuseUnusable(responses: readonly FileResponse[]): readonly FileResponse[] {
  const seen = new Set<string>();
  return responses.map((response) => {
    const { index, id } = response;
    if (isRefused(response)) return response;
    if (id.length > MAX_ID) return { index, id, code: 'BAD_ID', detail: `The id is longer than ${MAX_ID} characters` };
    const comparable = toComparableId(id);
    if (id !== '' && seen.has(comparable)) {
      return { index, id, code: 'DUPLICATE_ID', detail: 'A response before it in the file has the same id' };
    }
    seen.add(comparable);
    if (Buffer.byteLength(JSON.stringify(response.answers)) > MAX_BYTES) {
      return { index, id, code: 'TOO_LARGE', detail: 'The answers take more than 1 MiB, the limit of a response' };
    }
    return response;
  });
}
