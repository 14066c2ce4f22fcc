import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { type LocatedObject, locatedObjects, objectOf } from '../core/source-questions.ts';
import { type Text, textOf } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { type WarnOnce, wrongType } from '../files/report.ts';

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
  if (!isObject(data)) throw wrongType('', 'The file must be an object with a form');
  const { form, translations, responses } = data;
  if (isObject(form)) {
    if (!isAbsent(responses) && !(isObject(responses) && isArray(responses['items']))) {
      throw wrongType('/responses', 'The responses must be an object with items');
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
  if (!isObject(definition)) throw wrongType(path, 'The response of a webhook must have its definition');
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
  if (!isArray(fields)) throw wrongType(`${path}/fields`, 'The form must have an array of fields');
  if (fields.length > 0 && fields.every((field) => isObject(field) && isAbsent(field['type']))) {
    const detail = 'The file is a translation: add it to its form as translations.<language>';
    throw wrongType(`${path}/fields`, detail);
  }
  return form;
}

function readTranslations(translations: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  if (isAbsent(translations)) return new Map();
  if (!isObject(translations) || !Object.values(translations).every((one) => isObject(one))) {
    throw wrongType('/translations', 'The translations must be an object of language to translated form');
  }
  return new Map(Object.entries(translations).map(([language, one]) => [language, objectOf(one)]));
}

export interface FormTexts {
  /** @param name name of a member of `owner`, or else of `owner.properties` */
  read(owner: JsonObject, name: string, path: string): Text;
}

/** A placeholder that Typeform replaces by an answer, hidden field or score. */
const FILLED_IN = /\{\{[^{}]{1,200}\}\}/;

/**
 * @param form the form in its own language
 * @param language language of the form
 * @param translations translated forms by language
 */
export function createFormTexts(
  form: JsonObject,
  language: string,
  translations: ReadonlyMap<string, JsonObject>,
  warnOnce: WarnOnce,
): FormTexts {
  const translated = [...translations].map(([tag, one]) => [tag, indexById(one).set(keyOf(form), one)] as const);
  return {
    read(owner, name, path) {
      const original = memberOf(owner, name);
      if (FILLED_IN.test(original)) {
        const detail = 'Placeholders {{…}} are not replaced';
        warnOnce('filled in', { path, code: 'PLACEHOLDER_KEPT', detail });
      }
      const others = translated.map(([tag, byId]) => [tag, memberOf(byId.get(keyOf(owner)) ?? {}, name)] as const);
      return textOf([[language, original], ...others]);
    },
  };
}

function memberOf(owner: JsonObject, name: string): string {
  const value = owner[name] ?? objectOf(owner['properties'])[name];
  return typeof value === 'string' ? value.trim() : '';
}

function keyOf({ id, ref }: JsonObject): string {
  return typeof id === 'string' ? id : String(ref);
}

/** Indexes all objects with an id, at any depth. */
function indexById(form: JsonObject): Map<string, JsonObject> {
  const byId = new Map<string, JsonObject>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isObject(value) && (typeof value['id'] === 'string' || typeof value['ref'] === 'string')) {
      if (!byId.has(keyOf(value))) byId.set(keyOf(value), value);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(form);
  return byId;
}

/** A field of a form. A field that is not an object is empty. */
export interface Field extends LocatedObject {
  readonly type: string;
  /** Identifies the field in jumps. */
  readonly ref: string;
  readonly id: string;
  readonly properties: JsonObject;
  readonly validations: JsonObject;
  /** The fields of a group; the rows of a matrix. */
  readonly fields: readonly Field[];
}

/** The recursion is bounded: the JSON reader limits nesting. */
export function toField(value: JsonValue, path: string): Field {
  const source = objectOf(value);
  const properties = objectOf(source['properties']);
  const inside = isArray(properties['fields']) ? properties['fields'] : [];
  const id = nonEmptyText(source['id']) ?? nonEmptyText(source['ref']) ?? path;
  return {
    source,
    path,
    id,
    type: typeof source['type'] === 'string' ? source['type'] : '',
    ref: nonEmptyText(source['ref']) ?? id,
    properties,
    validations: objectOf(source['validations']),
    fields: inside.map((field, index) => toField(field, `${path}/properties/fields/${index}`)),
  };
}

/** A setting of a field. In webhook payloads, settings are beside `properties`. */
export function settingOf({ source, properties }: Field, name: string): JsonValue | undefined {
  return properties[name] ?? source[name];
}

/** The choices of a field. */
export function choicesOf({ source, properties, path }: Field): readonly LocatedObject[] {
  return isAbsent(properties['choices'])
    ? locatedObjects(source, 'choices', path)
    : locatedObjects(properties, 'choices', `${path}/properties`);
}

function nonEmptyText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
