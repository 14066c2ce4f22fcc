import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { readResponseItems, readResponseItemsAt, toFileResponse } from '../core/responses/items.ts';
import { type FileResponse, type UnassignedValue, unknownQuestion } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { type AnswerTarget, createAnswerTargets } from './answers.ts';
import { objectIn, objectsIn, RESPONSES_PATH } from './document.ts';

const RESPONSE_MEMBERS = new Set(['responseId', 'formId', 'createTime', 'lastSubmittedTime', 'answers']);
/** Members that are kept in the metadata of the response. */
const KEPT_MEMBERS = ['respondentEmail', 'totalScore'];
const ANSWER_MEMBERS = new Set(['questionId', 'textAnswers', 'fileUploadAnswers']);

/** Reads responses of Google Forms: a page of `GET /v1/forms/{formId}/responses`, or an array. */
export const readGoogleFormsResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const read = createReadResponse(payload, warn);
  const possiblePaths = [['responses'], RESPONSES_PATH, []];
  const expected = 'responses of GET /v1/forms/{formId}/responses';
  for await (const { index, path, value } of readResponseItemsAt(file, possiblePaths, expected, warn))
    yield read(value, index, path);
};

/** Reads the responses in a file that also has the form. */
export function readResponsesWithForm(file: ImportFile, payload: JsonObject) {
  return async function* (warn: Warn): AsyncGenerator<FileResponse> {
    const read = createReadResponse(payload, warn);
    for await (const { index, path, value } of readResponseItems(file, RESPONSES_PATH, warn))
      yield read(value, index, path);
  };
}

function createReadResponse(payload: JsonObject, warn: Warn) {
  const targets = createAnswerTargets(payload);
  const warnOnce = createWarnOnce(warn);
  return (value: JsonValue, index: number, path: string): FileResponse => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
    for (const name of Object.keys(value)) {
      if (RESPONSE_MEMBERS.has(name) || KEPT_MEMBERS.includes(name)) continue;
      warnOnce(name, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
    const given = objectIn(value, 'answers') ?? {};
    const { answers, files, unassigned } = readAnswers(given, `${path}/answers`, targets, warnOnce);
    const kept = KEPT_MEMBERS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
    // Google does not record the start: `createTime` is the first submission.
    const { createTime: created, lastSubmittedTime: submitted = created } = value;
    const isEdited = created !== undefined && created !== submitted;
    return toFileResponse(
      {
        index,
        path,
        id: String(value['responseId'] ?? ''),
        startedAt: undefined,
        completedAt: submitted ?? undefined,
        metadata: { ...Object.fromEntries(kept), ...(isEdited && { createTime: created }), files },
        answers,
        unassigned,
      },
      warnOnce,
    );
  };
}

function readAnswers(
  given: JsonObject,
  path: string,
  targets: ReadonlyMap<string, readonly AnswerTarget[]>,
  warnOnce: WarnOnce,
) {
  const answers = new Map<string, JsonValue>();
  const files: JsonObject = {};
  const unassigned: UnassignedValue[] = [];
  for (const [id, answer] of Object.entries(given)) {
    const at = `${path}/${id}`;
    const parts = targets.get(id);
    if (parts === undefined || !isObject(answer)) {
      const detail = `The survey has no question ${id}, so its answers are not imported`;
      warnOnce(`question ${id}`, { path: at, code: 'NOT_IMPORTED', detail });
      const value = isObject(answer) ? valuesIn(answer) : answer;
      unassigned.push(unknownQuestion(id, { value }));
      continue;
    }
    for (const name of Object.keys(answer)) {
      if (ANSWER_MEMBERS.has(name)) continue;
      warnOnce(`answer ${name}`, {
        path: at,
        code: 'NOT_IMPORTED',
        detail: `The ${name} of an answer is not imported`,
      });
    }
    const values = valuesIn(answer);
    for (const target of parts) {
      const { id: questionId, type } = target.question;
      if (type === 'file_upload') {
        files[questionId] = objectIn(answer, 'fileUploadAnswers')?.['answers'] ?? null;
        const detail = 'Files are not imported; their ids and names are kept in the metadata of the response';
        warnOnce('file', { path: at, code: 'NOT_IMPORTED', detail });
      }
      const value = values.length === 0 ? undefined : target.toValue(values);
      if (value === undefined) continue;
      const before = answers.get(questionId);
      const rows = { ...(isObject(before) ? before : {}) };
      answers.set(questionId, target.row === undefined ? value : { ...rows, [target.row]: value });
    }
  }
  return { answers: Object.fromEntries(answers), files, unassigned };
}

function valuesIn(answer: JsonObject): string[] {
  return objectsIn(objectIn(answer, 'textAnswers') ?? {}, 'answers').map(({ value }) => String(value ?? ''));
}
