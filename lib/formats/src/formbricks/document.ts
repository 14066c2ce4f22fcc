import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';

/** Paths of the responses in a file that also has the survey: in a reply of the API, or as a list. */
export const RESPONSE_PATHS = [['responses', 'data'], ['responses']];
const ADVICE = 'export the survey with GET /api/v1/management/surveys/{id}';

interface SurveyDocument {
  readonly survey: JsonObject;
  readonly path: string;
  readonly hasResponses: boolean;
}

/** The list in a member; empty if there is none. */
export function listIn(owner: JsonObject, name: string): readonly JsonValue[] {
  const list = owner[name];
  return isArray(list) ? list : [];
}

/** Finds the survey in a file: alone, in a reply of the API (`{data}`), or in `{survey, responses?}`. */
export async function readSurveyDocument(file: ImportFile): Promise<SurveyDocument> {
  const data = await readJson(file, { without: RESPONSE_PATHS[0] ?? [] });
  if (!isObject(data)) throw rejection('', `The file must be an object with a survey: ${ADVICE}`);
  const { responses } = data;
  if (isObject(data['survey'])) {
    const { survey, path } = unwrap(data['survey'], '/survey');
    const isList = isArray(responses) || (isObject(responses) && isArray(responses['data']));
    if (!isAbsent(responses) && !isList) throw rejection('/responses', 'The responses must be an object with data');
    return { survey: requireQuestions(survey, path), path, hasResponses: isList };
  }
  if (isArray(data['data'])) throw rejectionOfList(data['data']);
  const { survey, path } = unwrap(data, '');
  return { survey: requireQuestions(survey, path), path, hasResponses: false };
}

function unwrap(value: JsonObject, path: string): { readonly survey: JsonObject; readonly path: string } {
  const { data } = value;
  return isObject(data) && !hasQuestions(value) ? { survey: data, path: `${path}/data` } : { survey: value, path };
}

function hasQuestions({ questions, blocks }: JsonObject): boolean {
  return isArray(questions) || isArray(blocks);
}

function requireQuestions(survey: JsonObject, path: string): JsonObject {
  if (!hasQuestions(survey)) throw rejection(path, `The survey must have questions or blocks: ${ADVICE}`);
  return survey;
}

function rejectionOfList(list: readonly JsonValue[]): Error {
  const [first] = list;
  const isResponses = isObject(first) && !isAbsent(first['surveyId']) && !isAbsent(first['data']);
  const detail = isResponses
    ? `The file has responses and no survey: ${ADVICE}. Then import {"survey": …, "responses": …}, or import the survey first and the responses into it`
    : `The file is a list: ${ADVICE}`;
  return rejection('', detail);
}

function rejection(path: string, detail: string): Error {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
