import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { codePointLength } from '@survey/questionnaire/answers/plain-text';
import { isResponseColumn } from '@survey/questionnaire/columns/response-columns';
import { toMetadataTarget } from '@survey/questionnaire/metadata/metadata-columns';
import { METADATA_LIMITS } from '@survey/questionnaire/metadata/metadata-fields';
import { validate } from 'uuid';
import type { Row } from '../../tables/row.ts';

/** Data of a response in a file, except its answers. */
export interface ResponseDetails {
  /** The `external_id` in a file of our own export: the id that the response had in the file of its import. */
  readonly externalId: string | undefined;
  readonly startedAt: Date | undefined;
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly metadata: JsonObject | undefined;
}

/** Maximum bytes of a response's metadata, as JSON. */
export const MAX_METADATA = METADATA_LIMITS.bytes;

/** The location of a response in its file, if it is a table or a text with lines. */
export interface RowLocation {
  /** Row of the table, or line of the text, from 1. */
  readonly row?: number;
}

/** A response as it is in a file. Its answers are not compared with the survey yet. */
export interface ParsedResponse extends ResponseDetails, RowLocation {
  /** Position in the file, from 0. */
  readonly index: number;
  /** Id in the file; empty if it has none. */
  readonly id: string;
  readonly answers: JsonObject;
  /** Undefined for a response that was completed or disqualified. */
  readonly status?: UnfinishedStatus;
  /** Whether the tool marks the response as a preview, a test or spam. */
  readonly isTest?: boolean;
  /** Whether it is a row of a table that is no response. It is left out. */
  readonly isNoResponse?: boolean;
  /** Values that the reader cannot convert. They are not in `answers`. */
  readonly unread?: readonly UnusableValue[];
  /** Values that no question takes. */
  readonly unassigned?: readonly UnassignedValue[];
  /**
   * Whether the metadata has answers that the survey cannot have, such as names of uploaded files. A response with only
   * such answers is still stored.
   */
  readonly hasAnswersInMetadata?: true;
}

/** The first response of a file, without an id, details and answers. */
export const EMPTY_RESPONSE: ParsedResponse = {
  index: 0,
  id: '',
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
  answers: {},
};

export type UnfinishedStatus = 'in_progress' | 'abandoned';

/** A value that cannot be converted to an answer, or to a time or language of its response. */
export interface UnusableValue {
  /** Whether it is an answer, or a time or language of the response. */
  readonly kind: 'answer' | 'response';
  /** The id of the question, or the name of the column. */
  readonly name: string;
  readonly code: string;
  /** Never contains the value. */
  readonly detail: string;
  /** The value in the file. */
  readonly value: JsonValue;
}

/** A value that no question takes. It never rejects its response. */
export interface UnassignedValue {
  readonly column: string;
  readonly code: string;
  readonly detail: string;
  /** The value, if it is an answer that can be kept in the metadata. */
  readonly value?: JsonValue;
  /** Path of the value in the metadata, if the reader has kept it there: a name, or two for a member of an object. */
  readonly keptAs?: readonly string[];
  /** Whether it cannot be an answer: a duration, or data of a question type that surveys cannot have. */
  readonly isNoAnswer?: true;
}

/** Reports a value of a response that is not stored as an answer. Never contains the value itself. */
export interface Omission {
  /** The id of the question, or the name of the column. */
  readonly column: string;
  readonly code: string;
  readonly detail: string;
  /** `kept` in the metadata, `dropped`, or `missing` in the file although the question is required. */
  readonly action: 'kept' | 'dropped' | 'missing';
}

/** The value, or the path in the metadata at which a reader has kept it. */
type ValueOrPath = Pick<UnassignedValue, 'value' | 'keptAs'>;

/** A value for a question that the survey does not have. */
export function unknownQuestion(column: string, unassigned: ValueOrPath): UnassignedValue {
  return { column, code: 'UNKNOWN_QUESTION', detail: 'the survey has no such question', ...unassigned };
}

/** A cell of a column that the survey does not have. */
export function unknownColumn(column: string, unassigned: ValueOrPath = {}): UnassignedValue {
  return { column, code: 'UNKNOWN_COLUMN', detail: 'the survey has no such column', ...unassigned };
}

/** A value that is replaced by the value of a column that the option `columns` names. */
export function replacedValue(column: string, value?: JsonValue): UnassignedValue {
  const detail = 'a column that the option columns names has another value';
  return { column, code: 'REPLACED', detail, ...(value === undefined ? {} : { value }) };
}

/** A column of a table, and the name of its target as in the option `columns`; empty if it has none. */
interface NamedColumn {
  readonly position: number;
  readonly heading: string;
  readonly target: string;
}

/** Adds the cells of a row that cannot be read, such as errors of formulas, to the response of the row. */
export function addUnreadCells(
  response: FileResponse,
  { unread: cells }: Pick<Row, 'unread'>,
  columns: Iterable<NamedColumn>,
): FileResponse {
  if (cells === undefined || isRejected(response)) return response;
  const unread: UnusableValue[] = [];
  const unassigned: UnassignedValue[] = [];
  for (const { position, heading, target } of columns) {
    const cell = cells.get(position);
    if (cell === undefined) continue;
    if (target === '' || toMetadataTarget(target) !== undefined) {
      unassigned.push({ column: heading, code: cell.code, detail: cell.detail });
    } else unread.push({ kind: isResponseColumn(target) ? 'response' : 'answer', name: target, ...cell });
  }
  return {
    ...response,
    ...(unread.length > 0 && { unread: [...(response.unread ?? []), ...unread] }),
    ...(unassigned.length > 0 && { unassigned: [...(response.unassigned ?? []), ...unassigned] }),
  };
}

/** A response that is not stored, with the reason. */
export interface RejectedResponse extends RowLocation {
  readonly index: number;
  readonly id: string;
  readonly code: string;
  readonly detail: string;
  /** Column of the table, or id of the question, with the invalid value. */
  readonly column?: string;
}

export type FileResponse = ParsedResponse | RejectedResponse;

/** Copies the location, if there is one. */
export function locationOf({ row }: RowLocation): RowLocation {
  return row === undefined ? {} : { row };
}

export function isRejected(response: object): response is RejectedResponse {
  return 'code' in response;
}

/** Maximum characters of an id. */
export const MAX_ID = 256;
/** Maximum ids that are checked for duplicates. They take at most about 60 MB. */
export const MAX_KNOWN_IDS = 100_000;

/** Normalises an id for comparison: UUIDs are case-insensitive (RFC 9562). */
export function toComparableId(id: string): string {
  return validate(id) ? id.toLowerCase() : id;
}

/** Statuses of finished responses. They are read alike: the survey's logic decides which response is disqualified. */
const FINAL_STATUSES: readonly unknown[] = ['', 'completed', 'disqualified'];

/** Reads the status of a response. Returns `problem` for an unknown one. */
export function readStatus(given: unknown): Pick<ParsedResponse, 'status'> | { readonly problem: string } {
  if (given === 'in_progress' || given === 'abandoned') return { status: given };
  if (FINAL_STATUSES.includes(given)) return {};
  return { problem: 'the status must be completed, disqualified, in_progress or abandoned' };
}

/**
 * Yields all responses, and rejects those with an invalid or duplicate id: no survey can store them. Each id is compared
 * with the first `MAX_KNOWN_IDS` ids only. Other duplicates are skipped later, because the first one is then stored.
 */
export async function* checkIds(
  responses: AsyncIterable<FileResponse> | Iterable<FileResponse>,
): AsyncGenerator<FileResponse> {
  const seen = new Set<string>();
  for await (const response of responses) {
    if (isRejected(response)) {
      yield response;
      continue;
    }
    const { index, id } = response;
    const location = locationOf(response);
    const problem = problemOf(response, seen);
    if (id !== '' && id.length <= MAX_ID && seen.size < MAX_KNOWN_IDS) seen.add(toComparableId(id));
    yield problem === undefined ? response : { index, id, ...location, code: problem[0], detail: problem[1] };
  }
}

function problemOf(
  response: ParsedResponse,
  seen: ReadonlySet<string>,
): readonly [code: string, detail: string] | undefined {
  const { id, externalId = '' } = response;
  if (id.length > MAX_ID || codePointLength(externalId) > MAX_ID) {
    return ['BAD_ID', `The id is longer than ${MAX_ID} characters`];
  }
  if (id !== '' && externalId !== '' && !validate(id)) {
    return ['BAD_ID', 'The response has an external_id, so its id must be a UUID'];
  }
  if (seen.has(toComparableId(id))) return ['DUPLICATE_ID', 'An earlier response in the file has the same id'];
  return undefined;
}
