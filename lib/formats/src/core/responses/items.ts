import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { isArray, isObject, ownMember, setMember } from '@survey/questionnaire/json';
import { toPointerToken } from '@survey/runtime/json/pointer';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { ImportFile } from '../../files/import-file.ts';
import { type JsonItem, readJson, readJsonItems } from '../../files/json.ts';
import { createWarnOnce, type Warn, type WarnOnce, wrongType } from '../../files/report.ts';
import { fitMetadata } from './metadata.ts';
import {
  type FileResponse,
  type ParsedResponse,
  type RejectedResponse,
  type UnassignedValue,
  unknownQuestion,
} from './response.ts';

/** Members that APIs write beside the responses of a page. */
interface ApiPage {
  /** Google Forms. */
  readonly nextPageToken?: JsonValue;
  /** Kobo. */
  readonly next?: JsonValue;
  /** ODK Central. */
  readonly '@odata.nextLink'?: JsonValue;
  /** Typeform: the number of pages from this one on. */
  readonly page_count?: JsonValue;
  /** SurveyMonkey: the number of this page, from 1. */
  readonly page?: JsonValue;
  /** SurveyMonkey: responses per page. */
  readonly per_page?: JsonValue;
  /** SurveyMonkey: responses of all pages. */
  readonly total?: JsonValue;
}

const PAGE_MEMBERS = ['nextPageToken', 'next', '@odata.nextLink', 'page_count', 'page', 'per_page', 'total'];

function hasMorePages(members: ApiPage): boolean {
  const { nextPageToken, next, '@odata.nextLink': link, page_count: count, page, per_page: perPage, total } = members;
  return (
    [nextPageToken, next, link].some((value) => typeof value === 'string' && value !== '') ||
    Number(count) > 1 ||
    Number(total) > Number(page) * Number(perPage)
  );
}

/** Streams the items of the array at a path. Warns with `MORE_PAGES` if more pages of an API follow. */
export async function* readResponseItems(
  file: ImportFile,
  location: readonly string[],
  warn: Warn,
): AsyncGenerator<JsonItem> {
  const page: Record<string, JsonValue> = {};
  const onSibling = (name: string, value: JsonValue) => {
    if (PAGE_MEMBERS.includes(name)) page[name] = value;
  };
  yield* readJsonItems(file, location, { onSibling });
  if (!hasMorePages(page)) return;
  const detail = 'The file is one page of an API. More pages follow: fetch them, and import their responses too';
  warn({ path: location.map(toPointerToken).join(''), code: 'MORE_PAGES', detail });
}

/**
 * Streams the responses of a file: the items of the first location that has any. Warns with `MORE_PAGES` if more pages
 * follow. Throws `INVALID_IMPORT` if no location has an array.
 *
 * @param locations at most a few: the file is read once for each
 */
export async function* readResponseItemsAt(
  file: ImportFile,
  locations: readonly (readonly string[])[],
  expected: string,
  warn: Warn,
): AsyncGenerator<JsonItem> {
  for (const location of locations) {
    let isEmpty = true;
    for await (const item of readResponseItems(file, location, warn)) {
      isEmpty = false;
      yield item;
    }
    if (!isEmpty) return;
  }
  const data = await readJson(file);
  if (locations.some((location) => isArray(valueAt(data, location)))) return;
  throw wrongType('', `The file must contain ${expected}`);
}

function valueAt(data: JsonValue, location: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const name of location) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** The values of a response in a file of a tool. */
interface ToolResponse
  extends Pick<ParsedResponse, 'index' | 'id' | 'answers' | 'status' | 'isTest' | 'unread' | 'unassigned'>,
    Pick<ParsedResponse, 'hasAnswersInMetadata'> {
  /** Location in the file; empty for a row of a table. */
  readonly path: string;
  /** A time, or the value in the file, which must be an RFC 3339 time. */
  readonly startedAt: Date | JsonValue | undefined;
  readonly completedAt: Date | JsonValue | undefined;
  readonly language?: string | undefined;
  /** Empty members are left out. */
  readonly metadata: JsonObject;
}

/** The way in which a tool writes its responses. */
export interface ResponseFormat {
  /** Description of a file with responses, for errors. */
  readonly expected: string;
  /** Names of the members of a response that are imported or redundant. */
  readonly members: ReadonlySet<string>;
  /** Names of the members that are kept in the metadata. */
  readonly metadataMembers: readonly string[];
  /** Reads the other members, or returns the reason why the response is rejected. */
  readonly read: (
    value: JsonObject,
    path: string,
    warnOnce: WarnOnce,
  ) => Omit<ToolResponse, 'index' | 'path'> | Omit<RejectedResponse, 'index'>;
}

/** Creates the reader of the responses of a tool. Warns once about each member that is not imported. */
export function createReadResponse(
  { members, metadataMembers, read }: ResponseFormat,
  warn: Warn,
): (item: JsonItem) => FileResponse {
  const warnOnce = createWarnOnce(warn);
  return ({ index, path, value }) => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
    for (const name of Object.keys(value)) {
      if (members.has(name) || metadataMembers.includes(name)) continue;
      warnOnce(name, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
    const response = read(value, path, warnOnce);
    if ('code' in response) return { index, ...response };
    const kept = metadataMembers.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
    const metadata = { ...Object.fromEntries(kept), ...response.metadata };
    return toFileResponse({ ...response, index, path, metadata }, warnOnce);
  };
}

/** Reads the responses of a tool at the first location that has any (see `readResponseItemsAt`). */
export async function* readToolResponses(
  file: ImportFile,
  locations: readonly (readonly string[])[],
  format: ResponseFormat,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const read = createReadResponse(format, warn);
  for await (const item of readResponseItemsAt(file, locations, format.expected, warn)) yield read(item);
}

/** The detail of an answer that is not an object in the file. */
const MALFORMED = 'an answer must be an object';

/** Collects the answers of a response in a file of a tool, and the values that are no answers. */
export function createAnswerCollector(warnOnce: WarnOnce) {
  const [answers, files]: [JsonObject, JsonObject] = [{}, {}];
  const unassigned: UnassignedValue[] = [];
  return {
    answers,
    /** Descriptions of uploaded files by question, for the metadata. */
    files,
    unassigned,
    /** Adds an answer. A question that has rows gets an answer for each row. */
    add(questionId: string, value: JsonValue | undefined, row?: string): void {
      if (value === undefined) return;
      const before = row === undefined ? undefined : ownMember(answers, questionId);
      const rows = isObject(before) ? (before as JsonObject) : {};
      if (row !== undefined) setMember(rows, row, value);
      setMember(answers, questionId, row === undefined ? value : rows);
    },
    /** Adds the description of files, unless it is empty. `kept` names the parts of the description in the warning. */
    addFiles(questionId: string, description: JsonValue, path: string, kept = 'addresses'): void {
      if (isUnanswered(description)) return;
      setMember(files, questionId, description);
      const detail = `Files are not imported; their ${kept} are kept in the metadata of the response`;
      warnOnce('file', { path, code: 'NOT_IMPORTED', detail });
    },
    /** Adds an answer to a question that the survey does not have. */
    addUnknown(name: string, value: JsonValue, path: string, subject = `question ${name}`): void {
      const detail = `The survey has no ${subject}, so its answers are not imported`;
      warnOnce(`question ${name}`, { path, code: 'NOT_IMPORTED', detail });
      unassigned.push(unknownQuestion(name, { value }));
    },
    /** Adds a value in the place of an answer. `column` is the id of the question, or the member of the file. */
    addNoAnswer(column: string, value: JsonValue, detail = MALFORMED): void {
      unassigned.push({ column, code: 'NOT_AN_ANSWER', detail, value });
    },
  };
}

/** Makes a response of the values of a tool. */
export function toFileResponse(response: ToolResponse, warnOnce: WarnOnce): ParsedResponse {
  const { index, id, path, language, metadata, answers, status, isTest = false, unassigned = [] } = response;
  const { hasAnswersInMetadata = false } = response;
  const unread = [...(response.unread ?? [])];
  const toTime = (name: string, value: Date | JsonValue | undefined): Date | undefined => {
    if (value instanceof Date) return value;
    const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (time === undefined && value !== undefined) {
      const detail = 'The times of the response must be RFC 3339 times';
      unread.push({ kind: 'response', name, code: 'BAD_TIME', detail, value });
    }
    return time;
  };
  const startedAt = toTime('started_at', response.startedAt);
  const completedAt = toTime('completed_at', response.completedAt);
  const filled = Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
  return {
    index,
    id,
    externalId: undefined,
    startedAt,
    completedAt,
    language,
    answers,
    ...(status === undefined ? {} : { status }),
    ...(isTest ? { isTest } : {}),
    // The readers keep names of uploaded files, which surveys cannot have as answers, in this member.
    ...(filled['files'] === undefined && !hasAnswersInMetadata ? {} : { hasAnswersInMetadata: true }),
    ...(unread.length === 0 ? {} : { unread }),
    ...fitMetadata(filled, { warnOnce, path, unassigned }),
  };
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
