import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, setMember } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { type ResponseFormat, readToolResponses } from '../core/responses/items.ts';
import { type UnassignedValue, unknownQuestion } from '../core/responses/response.ts';
import { objectOf, objectsOf } from '../core/source-questions.ts';
import type { ImportFile } from '../files/import-file.ts';
import type { WarnOnce } from '../files/report.ts';
import { type AnswerTarget, createAnswerTargets } from './answers.ts';
import { RESPONSES_PATH } from './document.ts';

const RESPONSE_MEMBERS = new Set(['responseId', 'formId', 'createTime', 'lastSubmittedTime', 'answers']);
const METADATA_MEMBERS = ['respondentEmail', 'totalScore'];
const ANSWER_MEMBERS = new Set(['questionId', 'textAnswers', 'fileUploadAnswers']);

/** Reads responses of Google Forms: a page of `GET /v1/forms/{formId}/responses`, or an array. */
export const readGoogleFormsResponses: ResponseFileReader = (file, { payload }, { warn }) =>
  readToolResponses(file, [['responses'], RESPONSES_PATH, []], formatOf(payload), warn);

/** Reads the responses in a file that also has the form. */
export function readResponsesWithForm(file: ImportFile, payload: JsonObject, warn: Warn) {
  return readToolResponses(file, [RESPONSES_PATH], formatOf(payload), warn);
}

function formatOf(payload: JsonObject): ResponseFormat {
  const targets = createAnswerTargets(payload);
  return {
    expected: 'responses of GET /v1/forms/{formId}/responses',
    members: RESPONSE_MEMBERS,
    metadataMembers: METADATA_MEMBERS,
    read(value, path, warnOnce) {
      const { files, ...read } = readAnswers(objectOf(value['answers']), `${path}/answers`, targets, warnOnce);
      // Google does not record the start: `createTime` is the first submission.
      const { createTime: created, lastSubmittedTime: submitted = created } = value;
      const isEdited = created !== undefined && created !== submitted;
      return {
        id: String(value['responseId'] ?? ''),
        startedAt: undefined,
        completedAt: submitted ?? undefined,
        metadata: { ...(isEdited && { createTime: created }), files },
        ...read,
      };
    },
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
      const detail = `The ${name} of an answer is not imported`;
      warnOnce(`answer ${name}`, { path: at, code: 'NOT_IMPORTED', detail });
    }
    const values = valuesIn(answer);
    for (const target of parts) {
      const { id: questionId, type } = target.question;
      if (type === 'file_upload') {
        files[questionId] = objectOf(answer['fileUploadAnswers'])['answers'] ?? null;
        const detail = 'Files are not imported; their ids and names are kept in the metadata of the response';
        warnOnce('file', { path: at, code: 'NOT_IMPORTED', detail });
      }
      const value = values.length === 0 ? undefined : target.toValue(values);
      if (value === undefined) continue;
      const before = answers.get(questionId);
      const rows = isObject(before) ? before : {};
      if (target.row !== undefined) setMember(rows, target.row, value);
      answers.set(questionId, target.row === undefined ? value : rows);
    }
  }
  return { answers: Object.fromEntries(answers), files, unassigned };
}

function valuesIn(answer: JsonObject): string[] {
  return objectsOf(objectOf(answer['textAnswers'])['answers']).map(({ value }) => String(value ?? ''));
}
