import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { createAnswerCollector, type ResponseFormat, readToolResponses } from '../core/responses/items.ts';
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
      const given = value['answers'];
      const collector = readAnswers(objectOf(given), `${path}/answers`, targets, warnOnce);
      if (!isAbsent(given) && !isObject(given))
        collector.addNoAnswer('answers', given, 'the answers must be an object');
      const { answers, files, unassigned } = collector;
      // Google does not record the start: `createTime` is the first submission.
      const created = value['createTime'] ?? undefined;
      const submitted = value['lastSubmittedTime'] ?? created;
      const isEdited = created !== undefined && created !== submitted;
      return {
        id: String(value['responseId'] ?? ''),
        startedAt: undefined,
        completedAt: submitted,
        metadata: { ...(isEdited && { createTime: created }), files },
        answers,
        unassigned,
      };
    },
  };
}

function readAnswers(
  answersById: JsonObject,
  path: string,
  targets: ReadonlyMap<string, readonly AnswerTarget[]>,
  warnOnce: WarnOnce,
) {
  const collector = createAnswerCollector(warnOnce);
  for (const [id, answer] of Object.entries(answersById)) {
    const at = `${path}/${id}`;
    const found = targets.get(id) ?? [];
    const [first] = found;
    if (first === undefined) {
      collector.addUnknown(id, textsOrWhole(answer), at);
      continue;
    }
    if (!isObject(answer)) {
      const { question, row } = first;
      collector.addNoAnswer(row === undefined ? question.id : `${question.id}[${row}]`, answer);
      continue;
    }
    for (const name of Object.keys(answer)) {
      if (ANSWER_MEMBERS.has(name)) continue;
      const detail = `The ${name} of an answer is not imported`;
      warnOnce(`answer ${name}`, { path: at, code: 'NOT_IMPORTED', detail });
    }
    const values = valuesIn(answer);
    for (const { question, row, toValue } of found) {
      if (question.type === 'file_upload') {
        const files = objectOf(answer['fileUploadAnswers'])['answers'] ?? null;
        collector.addFiles(question.id, files, at, 'ids and names');
      }
      if (values.length > 0) collector.add(question.id, toValue(values), row);
    }
  }
  return collector;
}

/** The texts of an answer; the whole answer if it has none, such as an answer with files. */
function textsOrWhole(answer: JsonValue): JsonValue {
  const values = isObject(answer) ? valuesIn(answer) : [];
  return values.length > 0 ? values : answer;
}

function valuesIn(answer: JsonObject): string[] {
  return objectsOf(objectOf(answer['textAnswers'])['answers']).map(({ value }) => String(value ?? ''));
}
