import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { DroppedValue, FileResponse, ParsedResponse, RejectedResponse, UnreadValue } from './file-response.ts';
import { fitMetadata } from './fit-metadata.ts';
import type { WarnOnce } from './warn-once.ts';

interface ToolResponse {
  readonly index: number;
  readonly path: string;
  readonly id: string;
  readonly startedAt: JsonValue | undefined;
  readonly completedAt: JsonValue | undefined;
  readonly metadata: JsonObject;
  readonly answers: JsonObject;
  /** Number of answers to questions that the survey does not have. */
  readonly unknown: number;
  /** Number of answers to questions of the survey. */
  readonly known: number;
  readonly status?: ParsedResponse['status'];
  readonly isTest?: boolean;
  readonly unread?: readonly UnreadValue[];
  readonly dropped?: readonly DroppedValue[];
}

/** The reason to reject a response that only answers questions that the survey does not have. */
export const OTHER_SURVEY_ERROR = {
  code: 'UNKNOWN_QUESTION',
  detail: 'The response answers no question of this survey; it may belong to another survey',
};

/** Makes a response. Rejects it if it only answers questions that the survey does not have. */
export function toFileResponse(response: ToolResponse, warnOnce: WarnOnce): FileResponse {
  const { index, id, path, metadata, answers, status, isTest = false, dropped = [] } = response;
  const reject = (code: string, detail: string): RejectedResponse => ({ index, id, code, detail });
  const unread = [...(response.unread ?? [])];
  const toTime = (name: string, value: JsonValue | undefined): Date | undefined => {
    const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (time === undefined && value !== undefined) {
      unread.push({
        kind: 'response',
        name,
        code: 'BAD_TIME',
        detail: 'The times of the response must be RFC 3339 times',
        value,
      });
    }
    return time;
  };
  const startedAt = toTime('started_at', response.startedAt);
  const completedAt = toTime('completed_at', response.completedAt);
  if (response.unknown > 0 && response.known === 0) {
    return reject(OTHER_SURVEY_ERROR.code, OTHER_SURVEY_ERROR.detail);
  }
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
  return {
    index,
    id,
    externalId: undefined,
    startedAt,
    completedAt,
    language: undefined,
    answers,
    ...(status === undefined ? {} : { status }),
    ...(isTest ? { isTest } : {}),
    ...(unread.length === 0 ? {} : { unread }),
    ...fitMetadata(given, { warnOnce, path, dropped }),
  };
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
