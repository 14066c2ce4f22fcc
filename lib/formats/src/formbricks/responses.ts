import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { readResponseItemsAt, toFileResponse } from '../core/responses/items.ts';
import { type FileResponse, type UnassignedValue, unknownQuestion } from '../core/responses/response.ts';
import { sourceDataOf } from '../core/source-data.ts';
import type { ImportFile } from '../files/import-file.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { createAnswerTargets, unsupportedFieldsOf } from './answers.ts';
import { RESPONSE_PATHS } from './document.ts';

type Targets = ReturnType<typeof createAnswerTargets>;

const EXPECTED = 'an array `data` of responses, as from GET /api/v1/management/responses?surveyId={id}';
/** Members that are imported or redundant. */
const MEMBERS = new Set(['id', 'createdAt', 'updatedAt', 'surveyId', 'finished', 'data', 'language', 'displayId']);
/** Members that are kept in the metadata of the response. */
const KEPT_MEMBERS = [
  ...['meta', 'variables', 'contact', 'contactId', 'contactAttributes', 'person', 'personId', 'personAttributes'],
  ...['singleUseId', 'tags', 'notes', 'ttc', 'endingId'],
];

/** Reads responses of Formbricks: a page of the API, or an array. */
export const readFormbricksResponses: ResponseFileReader = (file, { payload }, { warn }) =>
  readAt(file, [['data'], ...RESPONSE_PATHS, []], payload, warn);

/** Reads the responses in a file that also has the survey. */
export function readResponsesWithSurvey(file: ImportFile, payload: JsonObject, warn: Warn) {
  return readAt(file, RESPONSE_PATHS, payload, warn);
}

async function* readAt(
  file: ImportFile,
  locations: readonly (readonly string[])[],
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const read = createReadResponse(payload, warn);
  for await (const { index, path, value } of readResponseItemsAt(file, locations, EXPECTED, warn)) {
    yield read(value, index, path);
  }
}

function createReadResponse(payload: JsonObject, warn: Warn) {
  const targets = createAnswerTargets(payload);
  const warnOnce = createWarnOnce(warn);
  const hidden = hiddenFieldsOf(payload);
  return (value: JsonValue, index: number, path: string): FileResponse => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
    const id = String(value['id'] ?? '');
    for (const name of Object.keys(value)) {
      if (MEMBERS.has(name) || KEPT_MEMBERS.includes(name)) continue;
      warnOnce(name, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
    const data = isObject(value['data']) ? value['data'] : {};
    const { files, others, ...read } = readAnswers(data, `${path}/data`, { targets, hidden, warnOnce });
    const kept = KEPT_MEMBERS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
    const given = value['language'];
    const language = typeof given === 'string' && given !== 'default' ? given : undefined;
    const response = toFileResponse(
      {
        index,
        path,
        id,
        startedAt: value['createdAt'] ?? undefined,
        completedAt: value['updatedAt'] ?? value['createdAt'] ?? undefined,
        metadata: { ...Object.fromEntries(kept), data: others, files },
        ...read,
        ...(value['finished'] === false ? { status: 'in_progress' } : {}),
      },
      warnOnce,
    );
    return { ...response, language };
  };
}

interface ReadContext {
  readonly targets: Targets;
  readonly hidden: ReadonlySet<string>;
  readonly warnOnce: WarnOnce;
}

function readAnswers(data: JsonObject, path: string, { targets, hidden, warnOnce }: ReadContext) {
  const answers = new Map<string, JsonValue>();
  const [files, others] = [new Map<string, JsonValue>(), new Map<string, JsonValue>()];
  const unassigned: UnassignedValue[] = [];
  for (const [name, value] of Object.entries(data)) {
    const found = targets.get(name);
    if (found === undefined) {
      others.set(name, value);
      if (hidden.has(name)) continue;
      const detail = `The survey has no question ${name.slice(0, 100)}; its values are kept in the metadata`;
      warnOnce(`question ${name}`, { path, code: 'KEPT_AS_METADATA', detail });
      if (isUnanswered(value)) continue;
      unassigned.push(unknownQuestion(name, { keptAs: ['data', name] }));
      continue;
    }
    const lost = unsupportedFieldsOf(value, found);
    if (lost !== undefined) unassigned.push(unknownQuestion(name, { value: lost }));
    for (const { question, toValue } of found) {
      if (question.type === 'file_upload') {
        files.set(question.id, value);
        const detail = 'Files are not imported; their addresses are kept in the metadata of the response';
        warnOnce('file', { path, code: 'NOT_IMPORTED', detail });
      }
      const answer = toValue(value);
      if (answer !== undefined) answers.set(question.id, answer);
    }
  }
  const [answered, kept, listed] = [answers, others, files].map((entries) => Object.fromEntries(entries));
  return { answers: answered ?? {}, others: kept ?? {}, files: listed ?? {}, unassigned };
}

function hiddenFieldsOf(payload: JsonObject): ReadonlySet<string> {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const fields = sourceDataOf(survey)['hiddenFields'];
  return new Set(isObject(fields) ? itemsOf(fields['fieldIds']).map(String) : []);
}
