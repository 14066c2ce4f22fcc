import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject, setMember } from '@survey/questionnaire/json';
import type { ImportFile } from '../../files/import-file.ts';
import { readJsonItems } from '../../files/json-items.ts';
import { readJson } from '../../files/read-json.ts';
import { type FileResponse, statusProblem } from '../../responses/file-response.ts';
import type { ResponseFileReader, Warn } from '../reader.ts';
import { toFileResponse } from '../response-details.ts';
import { readResponseItemsAt } from '../response-items.ts';
import { createWarnOnce, type WarnOnce } from '../warn-once.ts';
import { type AnswerPlace, createAnswerPlaces, givenIn } from './answers.ts';
import { RESPONSES_BESIDE, webhookResponse } from './document.ts';

/** Typeform writes the first moment of all where it has none. */
const NO_TIME = '0001-01-01T00:00:00Z';
/** Members that are taken over, or say nothing beside others. */
const MEMBERS = new Set([
  ...['answers', 'token', 'response_id', 'landed_at', 'submitted_at', 'response_type', 'metadata', 'hidden'],
  ...['calculated', 'variables', 'definition', 'form_id', 'landing_id', 'ending', 'outcome', 'thankyou_screen_ref'],
]);
const KEPT = ['hidden', 'calculated', 'variables', 'ending', 'outcome', 'thankyou_screen_ref'];

/** Responses as Typeform's API gives them, a page or an array of them, or as it sends one to a webhook. */
export const readTypeformResponses: ResponseFileReader = async function* (file, { payload }, { warn }) {
  const webhook = file.size <= MAX_WEBHOOK ? webhookResponse(await readJson(file)) : undefined;
  if (webhook !== undefined) {
    yield* readWebhookResponse(file, payload, warn);
    return;
  }
  const read = createReadResponse(payload, warn);
  const expected = 'responses as items, or one that was sent to a webhook';
  for await (const { index, path, value } of readResponseItemsAt(file, [['items'], RESPONSES_BESIDE, []], expected)) {
    const inEvent = isObject(value) && isObject(value['form_response']) ? value['form_response'] : value;
    yield read(inEvent, index, path);
  }
};

/** What is sent to a webhook is one response. */
const MAX_WEBHOOK = 4 * 1024 * 1024;

/** The responses in the file of their form. */
export async function* readResponsesBeside(
  file: ImportFile,
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const read = createReadResponse(payload, warn);
  for await (const { index, path, value } of readJsonItems(file, RESPONSES_BESIDE)) yield read(value, index, path);
}

/** The one response that was sent to a webhook. */
export async function* readWebhookResponse(
  file: ImportFile,
  payload: JsonObject,
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const response = webhookResponse(await readJson(file));
  if (response !== undefined) yield createReadResponse(payload, warn)(response.value, 0, response.path);
}

function createReadResponse(payload: JsonObject, warn: Warn) {
  const places = createAnswerPlaces(payload);
  const warnOnce = createWarnOnce(warn);
  return (value: JsonValue, index: number, path: string): FileResponse => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The response has to be an object' };
    const id = String(value['response_id'] ?? value['token'] ?? '');
    const submitted = value['submitted_at'] === NO_TIME ? undefined : (value['submitted_at'] ?? undefined);
    const type = value['response_type'] ?? 'completed';
    if (submitted === undefined || type !== 'completed') {
      return { index, id, code: 'BAD_STATUS', detail: `status: ${statusProblem('in_progress')}` };
    }
    for (const name of Object.keys(value)) {
      if (MEMBERS.has(name)) continue;
      warnOnce(name, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
    const list = isArray(value['answers']) ? value['answers'] : [];
    const { answers, files, known } = readAnswers(list, path, places, warnOnce);
    const details = isObject(value['metadata']) ? value['metadata'] : {};
    const kept = KEPT.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
    const metadata = { ...details, ...Object.fromEntries(kept), files };
    const times = { startedAt: value['landed_at'] ?? undefined, completedAt: submitted };
    return toFileResponse(
      { index, path, id, ...times, metadata, answers, known, unknown: list.length - known },
      warnOnce,
    );
  };
}

/** Answers by our ids, and the addresses of files by the ids of their fields. */
function readAnswers(
  list: readonly JsonValue[],
  path: string,
  places: ReadonlyMap<string, AnswerPlace>,
  warnOnce: WarnOnce,
) {
  const answers = new Map<string, JsonValue>();
  const files: JsonObject = {};
  let known = 0;
  for (const [position, answer] of list.entries()) {
    const at = `${path}/answers/${position}`;
    const field = isObject(answer) && isObject(answer['field']) ? String(answer['field']['id']) : '';
    const place = places.get(field);
    if (!isObject(answer) || place === undefined) {
      const detail = `The survey has no question for the field ${field}, so its answers are not imported`;
      warnOnce(`field ${field}`, { path: at, code: 'NOT_IMPORTED', detail });
      continue;
    }
    known += 1;
    if (place.question.type === 'file_upload') {
      setMember(files, place.question.id, givenIn(answer) ?? null);
      const detail = 'Files are not imported; their addresses at Typeform are kept in the metadata of the response';
      warnOnce('file', { path: at, code: 'NOT_IMPORTED', detail });
    }
    const value = place.toValue(answer);
    if (value === undefined) continue;
    const { id } = place.question;
    const before = answers.get(id);
    answers.set(id, place.row === undefined ? value : { ...(isObject(before) ? before : {}), [place.row]: value });
  }
  return { answers: Object.fromEntries(answers), files, known };
}
