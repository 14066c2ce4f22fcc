import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import {
  createAnswerCollector,
  createReadResponse,
  type ResponseFormat,
  readResponseItemsAt,
  readToolResponses,
} from '../core/responses/items.ts';
import type { FileResponse } from '../core/responses/response.ts';
import { objectOf } from '../core/source-questions.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import type { WarnOnce } from '../files/report.ts';
import { type AnswerTarget, answerValueOf, createAnswerTargets, fieldIdOf } from './answers.ts';
import { RESPONSES_PATH, webhookResponse } from './document.ts';

const NOT_AN_ANSWER = 'the value is not an answer to the question';
/** Typeform's value for a missing time. */
const NO_TIME = '0001-01-01T00:00:00Z';
/** Members that are imported or redundant. */
const RESPONSE_MEMBERS = new Set([
  ...['answers', 'token', 'response_id', 'landed_at', 'submitted_at', 'response_type', 'metadata', 'definition'],
  ...['form_id', 'landing_id'],
]);
const METADATA_MEMBERS = ['hidden', 'calculated', 'variables', 'ending', 'outcome', 'thankyou_screen_ref'];
/** Maximum size of a webhook payload, which has a single response. Larger files are not read whole. */
const MAX_WEBHOOK = 4 * 1024 * 1024;

/** Reads Typeform responses: a page of the API, an array, a file with the form, or webhook payloads. */
export const readTypeformResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  if (file.size <= MAX_WEBHOOK && webhookResponse(await readJson(file)) !== undefined) {
    yield* readWebhookResponse(file, payload, warn);
    return;
  }
  const format = formatOf(payload);
  const read = createReadResponse(format, warn);
  const locations = [['items'], RESPONSES_PATH, []];
  for await (const item of readResponseItemsAt(file, locations, format.expected, warn)) {
    const response = webhookResponse(item.value);
    yield read(response === undefined ? item : { ...item, ...response, path: item.path + response.path });
  }
};

/** Reads the responses in a file that also has the form. */
export function readResponsesWithForm(file: ImportFile, payload: JsonObject, warn: Warn) {
  return readToolResponses(file, [RESPONSES_PATH], formatOf(payload), warn);
}

export async function* readWebhookResponse(
  file: ImportFile,
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const response = webhookResponse(await readJson(file));
  if (response !== undefined) yield createReadResponse(formatOf(payload), warn)({ index: 0, ...response });
}

function formatOf(payload: JsonObject): ResponseFormat {
  const targets = createAnswerTargets(payload);
  return {
    expected: 'an array items of responses, or a webhook payload',
    members: RESPONSE_MEMBERS,
    metadataMembers: METADATA_MEMBERS,
    read(value, path, warnOnce) {
      const submitted = timeIn(value, 'submitted_at');
      const isFinished = submitted !== undefined && (value['response_type'] ?? 'completed') === 'completed';
      const list = isArray(value['answers']) ? value['answers'] : [];
      const { answers, files, unassigned } = readAnswers(list, path, targets, warnOnce);
      return {
        id: String(value['response_id'] ?? value['token'] ?? ''),
        startedAt: timeIn(value, 'landed_at'),
        completedAt: submitted,
        metadata: { ...objectOf(value['metadata']), files },
        answers,
        unassigned,
        ...(isFinished ? {} : { status: 'in_progress' }),
      };
    },
  };
}

function timeIn(response: JsonObject, name: string): JsonValue | undefined {
  return response[name] === NO_TIME ? undefined : (response[name] ?? undefined);
}

function readAnswers(
  list: readonly JsonValue[],
  path: string,
  targets: ReadonlyMap<string, AnswerTarget>,
  warnOnce: WarnOnce,
) {
  const collector = createAnswerCollector(warnOnce);
  for (const [position, answer] of list.entries()) {
    if (!isObject(answer)) {
      collector.addNoAnswer('answers', answer);
      continue;
    }
    const at = `${path}/answers/${position}`;
    const [field, given] = [fieldIdOf(answer), answerValueOf(answer)];
    const target = targets.get(field);
    if (target === undefined) {
      collector.addUnknown(field, given ?? answer, at, `question for the field ${field}`);
      continue;
    }
    const { id, type } = target.question;
    const value = target.toValue(answer);
    collector.add(id, value, target.row);
    if (given === undefined) continue;
    if (type === 'file_upload') collector.addFiles(id, given, at, 'addresses at Typeform');
    else if (value === undefined) collector.addNoAnswer(id, given, NOT_AN_ANSWER);
  }
  return collector;
}
