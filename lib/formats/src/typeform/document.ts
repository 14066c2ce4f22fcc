import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';

/** Path of the responses in a file that also has the form. */
export const RESPONSES_PATH = ['responses', 'items'];

interface FormDocument {
  readonly form: JsonObject;
  readonly path: string;
  readonly translations: ReadonlyMap<string, JsonObject>;
  /** Location of the responses. */
  readonly responses: 'none' | 'withForm' | 'webhook';
}

/** Finds the form in a file: alone, in `{form, translations?, responses?}`, or in a webhook payload. */
export async function readFormDocument(file: ImportFile): Promise<FormDocument> {
  const data = await readJson(file, { without: RESPONSES_PATH });
  if (!isObject(data)) throw rejection('', 'The file must be an object with a form');
  const { form, translations, responses } = data;
  if (isObject(form)) {
    if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['items']))) {
      throw rejection('/responses', 'The responses must be an object with items');
    }
    return {
      form: checkFields(form, '/form'),
      path: '/form',
      translations: readTranslations(translations),
      responses: isAbsent(responses) ? 'none' : 'withForm',
    };
  }
  const response = webhookResponse(data);
  if (response === undefined) {
    return { form: checkFields(data, ''), path: '', translations: new Map(), responses: 'none' };
  }
  const { definition } = response.value;
  const path = `${response.path}/definition`;
  if (!isObject(definition)) throw rejection(path, 'The response of a webhook must have its definition');
  return { form: checkFields(definition, path), path, translations: new Map(), responses: 'webhook' };
}

/** The response in a webhook payload: its member `form_response`, or the payload itself. */
export function webhookResponse(data: JsonValue): { readonly value: JsonObject; readonly path: string } | undefined {
  if (!isObject(data)) return undefined;
  const inEvent = data['form_response'];
  if (isObject(inEvent)) return { value: inEvent, path: '/form_response' };
  return isObject(data['definition']) || isArray(data['answers']) ? { value: data, path: '' } : undefined;
}

function checkFields(form: JsonObject, path: string): JsonObject {
  const { fields } = form;
  if (!isArray(fields)) throw rejection(`${path}/fields`, 'The form must have an array of fields');
  if (fields.length > 0 && fields.every((field) => isObject(field) && isAbsent(field['type']))) {
    const detail = 'The file is a translation: add it to its form as translations.<language>';
    throw rejection(`${path}/fields`, detail);
  }
  return form;
}

function readTranslations(translations: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  if (isAbsent(translations)) return new Map();
  if (!isObject(translations) || !Object.values(translations).every((one) => isObject(one))) {
    throw rejection('/translations', 'The translations must be an object of language to translated form');
  }
  return new Map(Object.entries(translations).map(([language, one]) => [language, isObject(one) ? one : {}]));
}

function rejection(path: string, detail: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
