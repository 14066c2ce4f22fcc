import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import {
  type FileResponse,
  type ParsedResponse,
  type RejectedResponse,
  readStatus,
  type UnusableValue,
} from '../core/responses/response.ts';

const IMPORTED = [
  ...['id', 'submitted_at', 'answers', 'data', 'status', 'started_at', 'completed_at', 'language', 'external_id'],
  'metadata',
];
/** Members of API responses that belong to the original survey and are ignored. */
const IGNORED = ['tenant_id', 'survey_id', 'survey_version', 'created_at', 'updated_at', 'link_id', 'invitation_id'];

/** Members that cause no warning. */
export const RESPONSE_MEMBERS: ReadonlySet<string> = new Set([...IMPORTED, ...IGNORED]);

/**
 * Reads `{id, submitted_at, answers: [{question_id, value}]}`, or a response of the API with its answers in `data`.
 *
 * @param location prefix of error details, such as `line 3: `; can be empty
 */
export function responseFromJson(item: JsonValue, index: number, location = ''): FileResponse {
  const reject = (code: string, detail: string, id = ''): RejectedResponse => ({
    index,
    id,
    code,
    detail: `${location}${detail}`,
  });
  if (!isObject(item)) return reject('WRONG_TYPE', 'The response must be an object');
  const id = readId(item['id']);
  if (id === undefined) return reject('BAD_ID', 'The id must be a string or a number');
  const details = readDetails(item, location);
  if ('problem' in details) return reject(details.code, details.problem, id);
  const answers = readAnswers(item);
  return typeof answers === 'string' ? reject('BAD_ANSWERS', answers, id) : { index, id, ...details, answers };
}

type DetailsRead = Omit<ParsedResponse, 'index' | 'id' | 'answers'>;

/** Empty if absent, undefined if invalid. Ids can be numbers, because other tools number their responses. */
function readId(value: JsonValue | undefined): string | undefined {
  if (isAbsent(value)) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function readDetails(
  item: JsonObject,
  location: string,
): DetailsRead | { readonly code: string; readonly problem: string } {
  const status = readStatus(isAbsent(item['status']) ? '' : item['status']);
  if ('problem' in status) return { code: 'BAD_STATUS', problem: `status: ${status.problem}` };
  const { unread, ...times } = readTimes(item, location);
  const language = isAbsent(item['language']) ? '' : item['language'];
  if (typeof language !== 'string') return { code: 'BAD_LANGUAGE', problem: 'language must be a string' };
  const externalId = readId(item['external_id']);
  if (externalId === undefined) return { code: 'BAD_ID', problem: 'external_id must be a string or a number' };
  const metadata = isAbsent(item['metadata']) ? undefined : item['metadata'];
  if (metadata !== undefined && !isObject(metadata)) {
    return { code: 'BAD_METADATA', problem: 'metadata must be an object' };
  }
  return {
    ...times,
    ...status,
    language: language === '' ? undefined : language,
    externalId: externalId === '' ? undefined : externalId,
    metadata,
    ...(unread.length === 0 ? {} : { unread }),
  };
}

/**
 * `submitted_at` is the end if there is no valid `completed_at`. It is also the start if the file has neither of the
 * other times (ADR 0105): an invalid one shows that the start is another time.
 */
function readTimes(item: JsonObject, location: string) {
  const times = new Map<string, Date>();
  const unread: UnusableValue[] = [];
  for (const name of ['submitted_at', 'started_at', 'completed_at']) {
    const value = item[name];
    if (isAbsent(value)) continue;
    const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
    const detail = `${location}${name} must be an RFC 3339 time`;
    if (time === undefined) unread.push({ kind: 'response', name, code: 'BAD_TIME', detail, value });
    else times.set(name, time);
  }
  const submitted = times.get('submitted_at');
  const hasOtherTimes = !isAbsent(item['started_at']) || !isAbsent(item['completed_at']);
  return {
    startedAt: hasOtherTimes ? times.get('started_at') : submitted,
    completedAt: times.get('completed_at') ?? submitted,
    unread,
  };
}

function readAnswers({ answers, data }: JsonObject): JsonObject | string {
  if (isAbsent(data)) return readAnswerList(answers);
  if (!isAbsent(answers)) return 'The response has both answers and data; send one of them';
  return isObject(data) ? data : 'The data must be an object with the answers by question';
}

function readAnswerList(value: JsonValue | undefined): JsonObject | string {
  if (!Array.isArray(value)) return 'The answers must be an array';
  const answers = new Map<string, JsonValue>();
  for (const [position, answer] of value.entries()) {
    const questionId = isObject(answer) ? answer['question_id'] : undefined;
    if (!isObject(answer) || typeof questionId !== 'string') {
      return `The answer at ${position} must be an object with a question_id`;
    }
    if (answers.has(questionId)) return `The answer at ${position} is to a question that is already answered`;
    answers.set(questionId, answer['value'] ?? null);
  }
  return Object.fromEntries(answers);
}
