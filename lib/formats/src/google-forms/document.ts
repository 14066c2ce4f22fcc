import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';

/** Path of the responses in a file that also has the form. */
export const RESPONSES_PATH = ['responses', 'responses'];

interface FormDocument {
  readonly form: JsonObject;
  readonly items: readonly JsonObject[];
  readonly path: string;
  readonly hasResponses: boolean;
}

/** Finds the form in a file: either the form alone, or `{form, responses?}`. */
export async function readFormDocument(file: ImportFile): Promise<FormDocument> {
  const data = await readJson(file, { without: RESPONSES_PATH });
  if (!isObject(data)) throw rejection('', 'The file must be an object with a form');
  const { form, responses } = data;
  if (!isObject(form)) return { form: data, items: itemsOf(data, ''), path: '', hasResponses: false };
  if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['responses']))) {
    throw rejection('/responses', 'The member responses must be an object that has an array responses');
  }
  return { form, items: itemsOf(form, '/form'), path: '/form', hasResponses: !isAbsent(responses) };
}

/** The items of a form; `items` is absent if there are none. */
function itemsOf(form: JsonObject, path: string): readonly JsonObject[] {
  const { items = [], formId, info } = form;
  if (!isArray(items) || (items.length === 0 && isAbsent(formId) && isAbsent(info))) {
    throw rejection(`${path}/items`, 'The form must have an array of items: export it with GET /v1/forms/{formId}');
  }
  const objects = items.filter((item) => isObject(item));
  if (objects.length < items.length) throw rejection(`${path}/items`, 'Every item must be an object');
  if (objects.some(isAppsScriptItem)) {
    const detail = 'Files from Apps Script cannot be imported: export the form with GET /v1/forms/{formId}';
    throw rejection(`${path}/items`, detail);
  }
  return objects;
}

/** The API has a member for each kind of item; Apps Script writes a `type`. */
function isAppsScriptItem({ type }: { readonly [name: string]: JsonValue }): boolean {
  return typeof type === 'string';
}

function rejection(path: string, detail: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
