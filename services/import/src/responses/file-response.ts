import type { JsonObject } from '@bufbuild/protobuf';
import { validate } from 'uuid';
import { toComparableId } from './response-ids.ts';

/** What a file tells of a response beside its answers. */
export interface ReadDetails {
  /** The id that it had in a file before this one. */
  readonly externalId: string | undefined;
  readonly startedAt: Date | undefined;
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly metadata: JsonObject | undefined;
}

/** Bytes of metadata as JSON that a response may have. */
export const MAX_METADATA = 16 * 1024;

/** A response as a file has it. */
export interface ReadResponse extends ReadDetails {
  /** Position in the file, from 0. */
  readonly index: number;
  /** Its id in the file, empty when it has none. */
  readonly id: string;
  /** Question id → value, as the file has it. */
  readonly answers: JsonObject;
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
const MAX_LANGUAGE = 64;
/** Ids that are remembered: some 10 MB. */
const MAX_REMEMBERED = 100_000;

/** Those that can be stored; what they are follows from the survey's logic. */
const FINAL_STATUSES: readonly unknown[] = ['', 'completed', 'disqualified'];
const UNFINISHED_STATUSES: readonly unknown[] = ['in_progress', 'abandoned'];

/** Why a response of this status is not imported; undefined when it is. An unfinished one would become a completed one. */
export function statusProblem(status: unknown): string | undefined {
  if (FINAL_STATUSES.includes(status)) return undefined;
  return UNFINISHED_STATUSES.includes(status)
    ? `it is ${status}, and only completed responses are imported`
    : 'it has to be completed or disqualified';
}

/**
 * The responses, but for those that no survey could take: too long an id, or one that came before. The first ids are
 * remembered, so that memory stays flat: one that comes again far on is found stored, and skipped.
 */
export async function* refuseUnusable(
  responses: AsyncIterable<FileResponse> | Iterable<FileResponse>,
): AsyncGenerator<FileResponse> {
  const seen = new Set<string>();
  for await (const response of responses) {
    if (isRefused(response)) {
      yield response;
      continue;
    }
    const { index, id } = response;
    const problem = problemOf(response, seen);
    if (id !== '' && seen.size < MAX_REMEMBERED) seen.add(toComparableId(id));
    yield problem === undefined ? response : { index, id, code: problem[0], detail: problem[1] };
  }
}

function problemOf(
  response: ReadResponse,
  seen: ReadonlySet<string>,
): readonly [code: string, detail: string] | undefined {
  const { id, externalId = '', language = '' } = response;
  if (id.length > MAX_ID || externalId.length > MAX_ID) {
    return ['BAD_ID', `The id is longer than ${MAX_ID} characters`];
  }
  if (id !== '' && externalId !== '' && !validate(id)) {
    return ['BAD_ID', 'The id is no UUID, and so the external_id of the response, but it has another one'];
  }
  if (seen.has(toComparableId(id))) return ['DUPLICATE_ID', 'A response before it in the file has the same id'];
  if (language.length > MAX_LANGUAGE) return ['BAD_LANGUAGE', `The language is longer than ${MAX_LANGUAGE} characters`];
  return undefined;
}
