import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';

/** Path of the responses in a file that also has the survey. */
export const RESPONSES_PATH = ['responses', 'data'];

/** Members of responses, not of surveys. */
const RESPONSE_MEMBERS = ['collector_id', 'recipient_id', 'response_status', 'collection_mode'];

interface DetailsDocument {
  readonly details: JsonObject;
  readonly path: string;
  readonly hasResponses: boolean;
}

/** Finds the details of a survey in a file: either the details alone, or `{survey, responses?}`. */
export async function readDetailsDocument(file: ImportFile): Promise<DetailsDocument> {
  const data = await readJson(file, { without: RESPONSES_PATH });
  if (isArray(data) && data.length > 0) throw rejectionOfList(data, '');
  if (!isObject(data)) throw rejection('', 'The file must be an object with the details of a survey');
  const { survey, responses } = data;
  if (!isObject(survey)) return { details: checkPages(data, ''), path: '', hasResponses: false };
  if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['data']))) {
    throw rejection('/responses', 'The responses must be an object with an array `data`');
  }
  return { details: checkPages(survey, '/survey'), path: '/survey', hasResponses: !isAbsent(responses) };
}

function checkPages(details: JsonObject, path: string): JsonObject {
  // A response also has pages with questions.
  if (isResponse(details)) throw rejectionOfList([details], path);
  if (isArray(details['pages']) && details['pages'].every(hasQuestions)) return details;
  const { error, data, event_type: event } = details;
  if (isObject(error)) throw rejection(path, `The file is an error reply of SurveyMonkey: ${String(error['message'])}`);
  if (isArray(data)) throw rejectionOfList(data, path);
  if (!isAbsent(event)) throw rejection(path, 'The file is a webhook notification, without a survey');
  throw rejection(
    `${path}/pages`,
    'The survey must have pages with questions: export it with GET /v3/surveys/{id}/details',
  );
}

function rejectionOfList(list: readonly JsonValue[], path: string): Error {
  const [first] = list;
  if (!isObject(first) || !isResponse(first)) {
    return rejection(path, 'The file is a list: export a single survey with GET /v3/surveys/{id}/details');
  }
  const { survey_id: given } = first;
  const id = typeof given === 'string' && /^\d{1,30}$/.test(given) ? given : '{id}';
  const detail = `The file has responses, and their survey is missing: export it with GET /v3/surveys/${id}/details, and import {"survey": …, "responses": …}, or first the survey and then the responses`;
  return rejection(path, detail);
}

function isResponse(value: JsonObject): boolean {
  return RESPONSE_MEMBERS.some((name) => !isAbsent(value[name]));
}

/** Whether a page has a list of questions. Pages of a survey without its details have none. */
function hasQuestions(page: unknown): boolean {
  return isObject(page) && isArray(page['questions']);
}

function rejection(path: string, detail: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
