import type { JsonObject } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { readJson } from '../files/read-json.ts';

/** Path of the responses in a file that also has the survey. */
export const RESPONSES_PATH = ['responses', 'data'];

interface DetailsDocument {
  readonly details: JsonObject;
  readonly path: string;
  readonly hasResponses: boolean;
}

/** Finds the details of a survey in a file: either the details alone, or `{survey, responses?}`. */
export async function readDetailsDocument(file: ImportFile): Promise<DetailsDocument> {
  const data = await readJson(file, { without: RESPONSES_PATH });
  if (!isObject(data)) throw rejection('', 'The file must be an object with the details of a survey');
  const { survey, responses } = data;
  if (!isObject(survey)) return { details: checkPages(data, ''), path: '', hasResponses: false };
  if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['data']))) {
    throw rejection('/responses', 'The responses must be an object with data');
  }
  return { details: checkPages(survey, '/survey'), path: '/survey', hasResponses: !isAbsent(responses) };
}

function checkPages(details: JsonObject, path: string): JsonObject {
  if (isArray(details['pages']) && details['pages'].every(hasQuestions)) return details;
  const { error, data, event_type: event } = details;
  if (isObject(error)) throw rejection(path, `The file is an error reply of SurveyMonkey: ${String(error['message'])}`);
  if (isArray(data))
    throw rejection(path, 'The file is a list: export a single survey with GET /v3/surveys/{id}/details');
  if (!isAbsent(event)) throw rejection(path, 'The file is a webhook notification, without a survey');
  throw rejection(
    `${path}/pages`,
    'The survey must have pages with questions: export it with GET /v3/surveys/{id}/details',
  );
}

/** Without its details, a survey has pages but no questions. */
function hasQuestions(page: unknown): boolean {
  return isObject(page) && isArray(page['questions']);
}

function rejection(path: string, detail: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
