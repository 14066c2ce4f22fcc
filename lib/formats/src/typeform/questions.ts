import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type DraftQuestion, numberScale } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import { type KeepMembers, sourceDataOf } from '../core/source-data.ts';
import { isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { labelledChoices } from './answers.ts';
import { choicesOf, type Field, type FormTexts, settingOf, toField } from './document.ts';
import { MAX_SEARCHED_TEXT } from './logic.ts';

export interface QuestionContext {
  readonly texts: FormTexts;
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
  /** The `ref`s of fields that a condition searches for a prefix or suffix. */
  readonly searched: ReadonlySet<string>;
  /** Choices that are no longer in the form. */
  readonly deleted: ReadonlySet<JsonObject>;
}

const FIELD_MEMBERS = new Set([
  'id',
  'ref',
  'type',
  'title',
  'properties',
  'validations',
  'choices',
  'allow_multiple_selections',
  'allow_other_choice',
]);
const PROPERTIES = new Set([
  'description',
  'fields',
  'choices',
  'allow_multiple_selection',
  'allow_other_choice',
  'steps',
  'start_at_one',
  'labels',
]);
const VALIDATIONS = new Set(['required', 'max_length', 'min_length', 'min_selection', 'max_selection']);
const listTypes = new Set(['multiple_choice', 'picture_choice', 'dropdown', 'matrix', 'ranking']);
const CHOICE_MEMBERS = new Set(['id', 'ref', 'label', 'title', 'type', 'properties', 'validations']);

/** Converts a field with an answer. */
export function toQuestion(field: Field, context: QuestionContext): DraftQuestion {
  const { texts, keep } = context;
  const found = Object.hasOwn(fieldTypes, field.type) ? fieldTypes[field.type] : undefined;
  const type = found ?? unknownType;
  const members = limitSearched(validMembers(type.members(field, createReadList(context))), field, context);
  warnOfType(field, type.replacement, members, context);
  warnOfRows(field, members, context);
  return {
    name: field.id,
    at: field.path,
    nameAt: `${field.path}/id`,
    title: titleOf(field, context),
    description: texts.read(field.source, 'description', field.path),
    members,
    required: field.validations['required'] === true,
    needed: { source_id: field.id, type: field.type, ...(field.ref === field.id ? {} : { ref: field.ref }) },
    kept: {
      ...keep(field.source, FIELD_MEMBERS, field.path),
      ...keep(field.properties, PROPERTIES, `${field.path}/properties`),
      ...keep(field.validations, VALIDATIONS, `${field.path}/validations`),
    },
  };
}

/** Limits a text that a condition searches. Without this limit, the draft of the survey would set a higher one. */
function limitSearched(members: JsonObject, { ref }: Field, { searched }: QuestionContext): JsonObject {
  const isText = members['type'] === 'text' || members['type'] === 'textarea';
  return isText && searched.has(ref) ? { max_length: MAX_SEARCHED_TEXT, ...members } : members;
}

function titleOf({ source, path, type }: Field, { texts, warnOnce }: QuestionContext): Text {
  const title = texts.read(source, 'title', path);
  if (!isEmptyText(title)) return title;
  warnOnce('title', {
    path: `${path}/title`,
    code: 'TITLE_MADE',
    detail: 'A question without a title gets its type as title',
  });
  return type === '' ? 'Question' : type;
}

function warnOfType(
  { type, path, source }: Field,
  replacement: string | undefined,
  members: JsonObject,
  { warnOnce }: QuestionContext,
): void {
  const warning = { path: `${path}/type`, code: 'NO_SUCH_TYPE' };
  if (replacement !== undefined) {
    const name = type === '' ? 'A field without a type' : type;
    warnOnce(name, { ...warning, detail: `${name} has no equivalent question type and becomes ${replacement}` });
  }
  if (listTypes.has(type) && ['text', 'textarea'].includes(String(members['type']))) {
    const detail = `The ${type} has no choices in this file and becomes a text`;
    warnOnce(String(source['id']), { ...warning, detail });
  }
}

function warnOfRows({ path }: Field, { required_rows: least }: JsonObject, { warnOnce }: QuestionContext): void {
  if (least === undefined) return;
  const detail = `Only some rows are required: any ${String(least)} must be answered, and source_data says which rows were required`;
  warnOnce('rows', { path: `${path}/properties/fields`, code: 'KEPT_AS_SOURCE_DATA', detail });
}

/** Removes limits that contradict each other or the number of options. */
function validMembers(members: JsonObject): JsonObject {
  const { min_selections: least, max_selections: most, min_length: shortest, max_length: longest, ...others } = members;
  const { options } = members;
  const offered = (list: readonly JsonValue[]) => list.filter((one) => !(isObject(one) && one['inactive'] === true));
  const possible = Array.isArray(options) ? offered(options).length : Number.POSITIVE_INFINITY;
  const selectionLimitsFit = Number(least ?? 0) <= Math.min(possible, Number(most ?? possible));
  const lengthLimitsFit = Number(shortest ?? 0) <= Number(longest ?? Number.POSITIVE_INFINITY);
  return {
    ...others,
    ...(selectionLimitsFit ? definedMembers({ min_selections: least, max_selections: most }) : {}),
    ...(lengthLimitsFit ? definedMembers({ min_length: shortest, max_length: longest }) : {}),
  };
}

function definedMembers(members: { readonly [name: string]: JsonObject[string] | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function createReadList({ texts, keep, deleted }: QuestionContext): ReadList {
  return (items, textName) => {
    const toUniqueId = createUniqueOptionIds();
    return items.map(({ choice, path }) => {
      const text = texts.read(choice, textName, path);
      const sourceId = String(choice['id'] ?? choice['ref'] ?? (typeof text === 'string' ? text : ''));
      const { ref } = choice;
      return {
        id: toUniqueId(sourceId),
        text: toJsonText(isEmptyText(text) ? sourceId : text),
        ...(deleted.has(choice) ? { inactive: true } : {}),
        source_data: {
          ...keep(choice, CHOICE_MEMBERS, path),
          source_id: sourceId,
          ...(typeof ref === 'string' && ref !== sourceId ? { ref } : {}),
          ...(isObject(choice['validations']) && choice['validations']['required'] === true ? { required: true } : {}),
        },
      };
    });
  };
}

interface FieldType {
  /** Members of the question that depend on the type. */
  readonly members: (field: Field, readList: ReadList) => JsonObject;
  /** The replacement type for the warning, if the conversion is not exact. */
  readonly replacement?: string;
}

const MAX_STEPS = 100;
const TEXT_LIMITS = { max_length: 'max_length', min_length: 'min_length' };
const CHOICE_LIMITS = { min_selection: 'min_selections', max_selection: 'max_selections' };

const text =
  (format?: string): FieldType['members'] =>
  (field) => ({
    type: 'text',
    ...(format === undefined ? {} : { format }),
    ...limitsOf(field, TEXT_LIMITS),
  });

const choice: FieldType['members'] = (field, readList) => {
  if (choicesOf(field).length === 0) return { type: 'text' };
  const isMultiple = ['allow_multiple_selection', 'allow_multiple_selections'].some(
    (name) => settingOf(field, name) === true,
  );
  return {
    type: isMultiple ? 'multiple_choice' : 'single_choice',
    options: [...readList(choicesOf(field), 'label')],
    ...(settingOf(field, 'allow_other_choice') === true ? { allow_other: true } : {}),
    ...(isMultiple ? limitsOf(field, CHOICE_LIMITS) : {}),
  };
};

const scale =
  (steps: number, first: (field: Field) => number): FieldType['members'] =>
  (field) => {
    const min = first(field);
    const given = field.properties['steps'];
    const isCount = typeof given === 'number' && Number.isInteger(given) && given > 1 && given <= MAX_STEPS;
    const max = min + (isCount ? given : steps) - 1;
    return { type: 'rating', min, max, ...labelsOf(field, min, max) };
  };

/** Typeform's texts for the two answers. Responses contain the `source_id`. */
const twoOptions =
  (yes: readonly [id: string, text: string], no: readonly [id: string, text: string]): FieldType['members'] =>
  () => ({
    type: 'single_choice',
    options: [
      { id: yes[0], text: yes[1], source_data: { source_id: 'true' } },
      { id: no[0], text: no[1], source_data: { source_id: 'false' } },
    ],
  });

const files: FieldType['members'] = () => ({ type: 'file_upload', max_files: 1 });

const fieldTypes: Readonly<Record<string, FieldType>> = {
  short_text: { members: text() },
  long_text: { members: (field) => ({ type: 'textarea', ...limitsOf(field, TEXT_LIMITS) }) },
  email: { members: text('email') },
  website: { members: text('url') },
  phone_number: { members: text('phone') },
  number: { members: text('number') },
  multiple_choice: { members: choice },
  picture_choice: { members: choice },
  dropdown: { members: choice },
  yes_no: { members: twoOptions(['yes', 'Yes'], ['no', 'No']) },
  legal: { members: twoOptions(['accept', 'I accept'], ['decline', "I don't accept"]) },
  opinion_scale: { members: scale(11, (field) => (field.properties['start_at_one'] === true ? 1 : 0)) },
  nps: { members: scale(11, () => 0) },
  rating: { members: scale(5, () => 1) },
  date: { members: () => ({ type: 'date' }) },
  file_upload: { members: files },
  signature: { members: files, replacement: 'a file_upload' },
  calendly: { members: text(), replacement: 'a text' },
  matrix: { members: readMatrix },
  ranking: { members: readRanking, replacement: 'a matrix of choices and ranks' },
};

/** Unknown field types become a textarea, so that respondents can still answer. */
const unknownType: FieldType = { members: () => ({ type: 'textarea' }), replacement: 'a text' };

function limitsOf({ validations }: Field, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([source, target]) => {
      const value = validations[source];
      return isCount(value) ? [[target, value]] : [];
    }),
  );
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function labelsOf({ properties }: Field, min: number, max: number): JsonObject {
  const { labels } = properties;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return {};
  const positions = { left: min, center: (min + max) / 2, right: max };
  const labelled = Object.entries(positions).flatMap(([name, value]) => {
    const label = labels[name];
    return typeof label === 'string' && label.trim() !== '' && Number.isInteger(value) ? [[String(value), label]] : [];
  });
  return labelled.length === 0 ? {} : { labels: Object.fromEntries(labelled) };
}

/** Converts options, rows or columns, with id, text and source data. */
type ReadList = (
  items: readonly { readonly choice: JsonObject; readonly path: string }[],
  textName: string,
) => readonly JsonObject[];

/**
 * Converts a matrix: each field is a row. Choices with the same label form a column, which keeps the ids of all of
 * them.
 */
function readMatrix(field: Field, readList: ReadList): JsonObject {
  const all = field.fields.flatMap((row) => choicesOf(row));
  if (all.length === 0) return { type: 'textarea' };
  const byLabel = Map.groupBy(all, ({ choice }) => String(choice['label']).trim());
  const groups = [...byLabel.values()];
  const firstOfEach = groups.flatMap((group) => group.slice(0, 1));
  const columns = readList(firstOfEach, 'label').map((column, index) => ({
    ...column,
    source_data: { ...sourceDataOf(column), choice_ids: (groups[index] ?? []).map(({ choice }) => choice['id'] ?? '') },
  }));
  const required = field.fields.filter(({ validations }) => validations['required'] === true).length;
  const isMultiple = field.fields.some((row) => settingOf(row, 'allow_multiple_selection') === true);
  return {
    type: 'matrix',
    rows: [
      ...readList(
        field.fields.map(({ source, path }) => ({ choice: source, path })),
        'title',
      ),
    ],
    columns,
    ...(isMultiple ? { multiple: true } : {}),
    ...(required > 0 ? { required: true } : {}),
    ...(required > 0 && required < field.fields.length ? { required_rows: required } : {}),
  };
}

/** Converts a ranking to a matrix of choices and ranks. */
function readRanking(field: Field, readList: ReadList): JsonObject {
  const choices = choicesOf(field);
  if (choices.length === 0) return { type: 'textarea' };
  return {
    type: 'matrix',
    rows: [...readList(choices, 'label')],
    columns: numberScale(choices.length),
  };
}

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
