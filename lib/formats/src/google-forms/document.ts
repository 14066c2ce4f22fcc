import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { wrongType } from '../files/report.ts';

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
  if (!isObject(data)) throw wrongType('', 'The file must be an object with a form');
  const { form, responses } = data;
  if (!isObject(form)) return { form: data, items: readItems(data, ''), path: '', hasResponses: false };
  // The API leaves out an empty list.
  const list = isObject(responses) ? responses['responses'] : responses;
  if (!isAbsent(list) && (!isArray(list) || list === responses)) {
    throw wrongType('/responses', 'The member responses must be an object that has an array responses');
  }
  return { form, items: readItems(form, '/form'), path: '/form', hasResponses: isArray(list) };
}

/** The items of a form. If the API leaves them out, because there are none, another member shows that it is a form. */
function readItems(form: JsonObject, path: string): readonly JsonObject[] {
  const { formId, info } = form;
  const items = isAbsent(form['items']) ? [] : form['items'];
  if (!isArray(items) || (items.length === 0 && isAbsent(formId) && isAbsent(info))) {
    throw wrongType(`${path}/items`, 'The form must have an array of items: export it with GET /v1/forms/{formId}');
  }
  const objects = items.filter((item) => isObject(item));
  if (objects.length < items.length) throw wrongType(`${path}/items`, 'Every item must be an object');
  if (objects.some(isAppsScriptItem)) {
    const detail = 'Files from Apps Script cannot be imported: export the form with GET /v1/forms/{formId}';
    throw wrongType(`${path}/items`, detail);
  }
  return objects;
}

/** Apps Script writes a `type`. In the API, an item has a member such as `questionItem`. */
function isAppsScriptItem({ type }: { readonly [name: string]: JsonValue }): boolean {
  return typeof type === 'string';
}

/** The member that defines the kind of a question, with its name. */
export interface QuestionKind {
  readonly name: string;
  readonly members: JsonObject;
}

/** Finds the kind of a question, such as `choiceQuestion`. */
export function kindOf(question: JsonObject): QuestionKind {
  for (const [name, members] of Object.entries(question)) {
    if (name.endsWith('Question') && isObject(members)) return { name, members };
  }
  return { name: '', members: {} };
}

export function objectIn(owner: JsonObject, name: string): JsonObject | undefined {
  const value = owner[name];
  return isObject(value) ? value : undefined;
}

export function textIn(owner: JsonObject, name: string): string {
  const value = owner[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** A safe integer. The API writes 64-bit integers as strings. */
export function integerIn(owner: JsonObject, name: string): number | undefined {
  const number = numberOf(owner[name]);
  return Number.isSafeInteger(number) ? number : undefined;
}
