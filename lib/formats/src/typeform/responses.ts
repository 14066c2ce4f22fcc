import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject, setMember } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { readResponseItems, readResponseItemsAt, toFileResponse } from '../core/responses/items.ts';
import { type FileResponse, type UnassignedValue, unknownQuestion } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { type AnswerTarget, answerValueOf, createAnswerTargets } from './answers.ts';
import { RESPONSES_PATH, webhookResponse } from './document.ts';

const NO_ANSWER = 'the value is not an answer to the question';
/** Typeform's value for a missing time. */
const NO_TIME = '0001-01-01T00:00:00Z';
/** Members that are imported or redundant. */
const MEMBERS = new Set([
  ...['answers', 'token', 'response_id', 'landed_at', 'submitted_at', 'response_type', 'metadata', 'hidden'],
  ...['calculated', 'variables', 'definition', 'form_id', 'landing_id', 'ending', 'outcome', 'thankyou_screen_ref'],
]);
const METADATA_MEMBERS = ['hidden', 'calculated', 'variables', 'ending', 'outcome', 'thankyou_screen_ref'];

/** Reads Typeform responses: a page or array of the API, or a webhook payload. */
export const readTypeformResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const webhook = file.size <= MAX_WEBHOOK ? webhookResponse(await readJson(file)) : undefined;
  if (webhook !== undefined) {
    yield* readWebhookResponse(file, payload, warn);
    return;
  }
  const read = createReadResponse(payload, warn);
  const expected = 'an array items of responses, or a webhook payload';
  for await (const { index, path, value } of readResponseItemsAt(
    file,
    [['items'], RESPONSES_PATH, []],
    expected,
    warn,
  )) {
    const inEvent = isObject(value) && isObject(value['form_response']) ? value['form_response'] : value;
    yield read(inEvent, index, path);
  }
};

/** Maximum size of a webhook payload, which has a single response. */
const MAX_WEBHOOK = 4 * 1024 * 1024;

/** Reads the responses in a file that also has the form. */
export async function* readResponsesWithForm(
  file: ImportFile,
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const read = createReadResponse(payload, warn);
  for await (const { index, path, value } of readResponseItems(file, RESPONSES_PATH, warn))
    yield read(value, index, path);
}

export async function* readWebhookResponse(
  file: ImportFile,
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const response = webhookResponse(await readJson(file));
  if (response !== undefined) yield createReadResponse(payload, warn)(response.value, 0, response.path);
}

function createReadResponse(payload: JsonObject, warn: Warn) {
  const targets = createAnswerTargets(payload);
  const warnOnce = createWarnOnce(warn);
  return (value: JsonValue, index: number, path: string): FileResponse => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
    const id = String(value['response_id'] ?? value['token'] ?? '');
    const submitted = value['submitted_at'] === NO_TIME ? undefined : (value['submitted_at'] ?? undefined);
    const isFinished = submitted !== undefined && (value['response_type'] ?? 'completed') === 'completed';
    for (const name of Object.keys(value)) {
      if (MEMBERS.has(name)) continue;
      warnOnce(name, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
    const list = isArray(value['answers']) ? value['answers'] : [];
    const { answers, files, unassigned } = readAnswers(list, path, targets, warnOnce);
    const details = isObject(value['metadata']) ? value['metadata'] : {};
    const kept = METADATA_MEMBERS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
    const metadata = { ...details, ...Object.fromEntries(kept), files };
    const times = { startedAt: value['landed_at'] ?? undefined, completedAt: submitted };
    return toFileResponse(
      {
        ...{ index, path, id, ...times, metadata, answers, unassigned },
        ...(isFinished ? {} : { status: 'in_progress' }),
      },
      warnOnce,
    );
  };
}

function readAnswers(
  list: readonly JsonValue[],
  path: string,
  targets: ReadonlyMap<string, AnswerTarget>,
  warnOnce: WarnOnce,
) {
  const answers = new Map<string, JsonValue>();
  const files: JsonObject = {};
  const unassigned: UnassignedValue[] = [];
  for (const [position, answer] of list.entries()) {
    const at = `${path}/answers/${position}`;
    const field = isObject(answer) && isObject(answer['field']) ? String(answer['field']['id']) : '';
    const target = targets.get(field);
    if (!isObject(answer) || target === undefined) {
      const detail = `The survey has no question for the field ${field}, so its answers are not imported`;
      warnOnce(`field ${field}`, { path: at, code: 'NOT_IMPORTED', detail });
      const value = isObject(answer) ? (answerValueOf(answer) ?? answer) : answer;
      unassigned.push(unknownQuestion(field, { value }));
      continue;
    }
    if (target.question.type === 'file_upload') {
      setMember(files, target.question.id, answerValueOf(answer) ?? null);
      const detail = 'Files are not imported; their addresses at Typeform are kept in the metadata of the response';
      warnOnce('file', { path: at, code: 'NOT_IMPORTED', detail });
    }
    const value = target.toValue(answer);
    const { id } = target.question;
    if (value === undefined) {
      const given = answerValueOf(answer);
      if (target.question.type !== 'file_upload' && given !== undefined)
        unassigned.push({ column: id, code: 'NOT_AN_ANSWER', detail: NO_ANSWER, value: given });
      continue;
    }
    const before = answers.get(id);
    const rows = isObject(before) ? before : {};
    if (target.row !== undefined) setMember(rows, target.row, value);
    answers.set(id, target.row === undefined ? value : rows);
  }
  return { answers: Object.fromEntries(answers), files, unassigned };
}
