import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { labelledChoices } from './answers.ts';
import { choicesOf, type Field, settingOf, toField } from './field.ts';

/** A form with the deleted choices that its responses still have. */
interface CompletedForm {
  readonly form: JsonObject;
  /** The deleted choices. They come after the other choices of their field. */
  readonly deleted: ReadonlySet<JsonObject>;
}

/** Types of fields that get deleted choices. Rankings get none, because another choice would change the ranks. */
const LISTS = new Set(['multiple_choice', 'picture_choice', 'dropdown']);

/**
 * Adds deleted choices to the fields of a form. These are choices that have a label in an answer, but are in neither
 * the form nor its translations.
 */
export async function addDeletedChoices(
  form: JsonObject,
  translations: Iterable<JsonObject>,
  responses: AsyncIterable<JsonValue>,
): Promise<CompletedForm> {
  const fields = new Map(listFieldsOf(form).map((field) => [field.id, field]));
  const names = new Map([...fields].map(([id, field]) => [id, namesIn(field)]));
  for (const field of [...translations].flatMap(listFieldsOf)) {
    for (const name of namesIn(field)) names.get(field.id)?.add(name);
  }
  const added = new Map<string, JsonObject[]>();
  for await (const response of responses) {
    for (const answer of isObject(response) && isArray(response['answers']) ? response['answers'] : []) {
      if (!isObject(answer) || !isObject(answer['field'])) continue;
      const id = String(answer['field']['id']);
      const [field, known] = [fields.get(id), names.get(id)];
      if (field === undefined || known === undefined) continue;
      const allowsOther = settingOf(field, 'allow_other_choice') === true;
      for (const { id: choiceId, ref, label } of labelledChoices(answer, allowsOther)) {
        const keys = [choiceId, ref, label].filter((name) => name !== undefined).map((name) => name.trim());
        const list = added.get(id) ?? [];
        if (keys.some((name) => known.has(name)) || choicesOf(field).length + list.length >= LIMITS.options) continue;
        for (const name of keys) known.add(name);
        added.set(id, [...list, { id: choiceId ?? label, label, ...(ref === undefined ? {} : { ref }) }]);
      }
    }
  }
  return { form: added.size === 0 ? form : withChoices(form, added), deleted: new Set([...added.values()].flat()) };
}

function listFieldsOf(form: JsonObject): readonly Field[] {
  const fields = (isArray(form['fields']) ? form['fields'] : []).map((field) => toField(field, ''));
  const all = [...fields];
  for (const field of all) all.push(...field.fields);
  // The fields of a translation have no type.
  return all.filter((field) => (field.type === '' || LISTS.has(field.type)) && choicesOf(field).length > 0);
}

/** Ids, refs and labels of the choices of a field. */
function namesIn(field: Field): Set<string> {
  return new Set(
    choicesOf(field)
      .flatMap(({ choice }) => [choice['id'], choice['ref'], choice['label']])
      .filter((name) => typeof name === 'string')
      .map((name) => name.trim()),
  );
}

/** Copies a form or group and adds choices to its fields. */
function withChoices(owner: JsonObject, added: ReadonlyMap<string, readonly JsonObject[]>): JsonObject {
  const { fields } = owner;
  return isArray(fields)
    ? { ...owner, fields: fields.map((field) => (isObject(field) ? fieldWithChoices(field, added) : field)) }
    : owner;
}

function fieldWithChoices(field: JsonObject, added: ReadonlyMap<string, readonly JsonObject[]>): JsonObject {
  const more = added.get(toField(field, '').id) ?? [];
  const extend = (owner: JsonObject): JsonObject => {
    const { choices } = owner;
    return isArray(choices) ? { ...owner, choices: [...choices, ...more] } : owner;
  };
  const { properties } = field;
  return extend(isObject(properties) ? { ...field, properties: extend(withChoices(properties, added)) } : field);
}
