import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type DraftQuestion, numberScale, ratingLabels } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import { getOrAdd } from '../core/maps.ts';
import { type KeepMembers, MAX_TEXT, mapObjects, sourceDataOf } from '../core/source-data.ts';
import { isCount, type LocatedObject, objectOf, objectsOf } from '../core/source-questions.ts';
import { isEmptyText, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { fieldIdOf, labelledChoices } from './answers.ts';
import { choicesOf, type Field, type FormTexts, settingOf, toField } from './document.ts';
import { MAX_SEARCHED_TEXT } from './logic.ts';

export interface QuestionContext {
  readonly texts: FormTexts;
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
  /** The `ref`s of fields that a condition searches for a prefix or suffix. */
  readonly searched: ReadonlySet<string>;
  /** Choices that `addDeletedChoices` has added. */
  readonly deleted: ReadonlySet<JsonObject>;
}

/** Whether several choices are allowed: in the API, and in webhook payloads. */
const MULTIPLE_SETTINGS = ['allow_multiple_selection', 'allow_multiple_selections'];
const FIELD_MEMBERS = new Set([
  ...['id', 'ref', 'type', 'title', 'properties', 'validations', 'choices', 'allow_other_choice'],
  'allow_multiple_selections',
]);
const PROPERTIES = new Set([
  ...['description', 'fields', 'choices', 'allow_other_choice', 'steps', 'start_at_one', 'labels'],
  'allow_multiple_selection',
]);
const VALIDATIONS = new Set(['required', 'max_length', 'min_length', 'min_selection', 'max_selection']);
const TYPES_WITH_CHOICES = new Set(['multiple_choice', 'picture_choice', 'dropdown', 'matrix', 'ranking']);
const CHOICE_MEMBERS = new Set(['id', 'ref', 'label', 'title', 'type', 'properties', 'validations']);

/** Converts a field that respondents answer to a question. */
export function toQuestion(field: Field, context: QuestionContext): DraftQuestion {
  const { texts, keep } = context;
  const found = Object.hasOwn(FIELD_TYPES, field.type) ? FIELD_TYPES[field.type] : undefined;
  const type = found ?? UNKNOWN_TYPE;
  const members = limitSearched(type.members(field, createReadList(context)), field, context);
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

/** Gives a text that a condition searches a lower default for its maximum length than the draft would. */
function limitSearched(members: JsonObject, { ref }: Field, { searched }: QuestionContext): JsonObject {
  const { type, min_length: least = 0 } = members;
  if (!searched.has(ref) || (type !== 'text' && type !== 'textarea')) return members;
  return { max_length: Number(least) > MAX_SEARCHED_TEXT ? MAX_TEXT : MAX_SEARCHED_TEXT, ...members };
}

function titleOf({ source, path, type }: Field, { texts, warnOnce }: QuestionContext): Text {
  const title = texts.read(source, 'title', path);
  if (!isEmptyText(title)) return title;
  const detail = 'A question without a title gets its type as title';
  warnOnce('title', { path: `${path}/title`, code: 'TITLE_MADE', detail });
  return type === '' ? 'Question' : type;
}

function warnOfType(
  { type, path, source }: Field,
  replacement: string | undefined,
  members: JsonObject,
  { warnOnce }: QuestionContext,
): void {
  const warning = { path: `${path}/type`, code: 'NO_SUCH_TYPE' };
  if (TYPES_WITH_CHOICES.has(type) && ['text', 'textarea'].includes(String(members['type']))) {
    const detail = `The ${type} has no choices in this file and becomes a text`;
    warnOnce(String(source['id']), { ...warning, detail });
  } else if (replacement !== undefined) {
    const name = type === '' ? 'A field without a type' : type;
    warnOnce(name, { ...warning, detail: `${name} has no equivalent question type and becomes ${replacement}` });
  }
}

function warnOfRows({ path }: Field, { required_rows: least }: JsonObject, { warnOnce }: QuestionContext): void {
  if (least === undefined) return;
  const detail = `Only some rows are required: any ${String(least)} must be answered, and source_data says which rows were required`;
  warnOnce('rows', { path: `${path}/properties/fields`, code: 'KEPT_AS_SOURCE_DATA', detail }, path);
}

/** Converts options, rows or columns. */
type ReadList = (items: readonly LocatedObject[], textName: 'label' | 'title') => JsonObject[];

function createReadList({ texts, keep, deleted }: QuestionContext): ReadList {
  return (items, textName) => {
    const toUniqueId = createUniqueOptionIds();
    return items.map(({ source: choice, path }) => {
      const text = texts.read(choice, textName, path);
      const sourceId = sourceIdOf(choice, typeof text === 'string' ? text : '');
      const { ref, validations } = choice;
      return {
        id: toUniqueId(sourceId),
        text: toJsonText(isEmptyText(text) ? sourceId : text),
        ...(deleted.has(choice) ? { inactive: true } : {}),
        source_data: {
          ...keep(choice, CHOICE_MEMBERS, path),
          source_id: sourceId,
          ...(typeof ref === 'string' && ref !== sourceId ? { ref } : {}),
          ...(isObject(validations) && validations['required'] === true ? { required: true } : {}),
        },
      };
    });
  };
}

/** Identifies a choice or row in responses. */
function sourceIdOf({ id, ref }: JsonObject, text: string): string {
  return String(id ?? ref ?? text);
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

const textMembers =
  (format?: string): FieldType['members'] =>
  (field) => ({
    type: 'text',
    ...(format === undefined ? {} : { format }),
    ...limitsOf(field, TEXT_LIMITS),
  });

function choiceMembers(field: Field, readList: ReadList): JsonObject {
  const choices = choicesOf(field);
  if (choices.length === 0) return { type: 'text' };
  const options = readList(choices, 'label');
  const isMultiple = allowsMultiple(field);
  return {
    type: isMultiple ? 'multiple_choice' : 'single_choice',
    options,
    ...(settingOf(field, 'allow_other_choice') === true ? { allow_other: true } : {}),
    ...(isMultiple ? selectionLimitsOf(field, options) : {}),
  };
}

/** The limits, unless they contradict each other or the number of options. */
function selectionLimitsOf(field: Field, options: readonly JsonObject[]): JsonObject {
  const limits = limitsOf(field, CHOICE_LIMITS);
  const offered = options.filter(({ inactive }) => inactive !== true).length;
  const { min_selections: least = 0, max_selections: most = offered } = limits;
  return Number(least) <= Math.min(offered, Number(most)) ? limits : {};
}

function allowsMultiple(field: Field): boolean {
  return MULTIPLE_SETTINGS.some((name) => settingOf(field, name) === true);
}

const scaleMembers =
  (steps: number, first: (field: Field) => number): FieldType['members'] =>
  (field) => {
    const min = first(field);
    const given = field.properties['steps'];
    const max = min + (isCount(given) && given > 1 && given <= MAX_STEPS ? given : steps) - 1;
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

const fileMembers = () => ({ type: 'file_upload', max_files: 1 });

const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  short_text: { members: textMembers() },
  long_text: { members: (field) => ({ type: 'textarea', ...limitsOf(field, TEXT_LIMITS) }) },
  email: { members: textMembers('email') },
  website: { members: textMembers('url') },
  phone_number: { members: textMembers('phone') },
  number: { members: textMembers('number') },
  multiple_choice: { members: choiceMembers },
  picture_choice: { members: choiceMembers },
  dropdown: { members: choiceMembers },
  yes_no: { members: twoOptions(['yes', 'Yes'], ['no', 'No']) },
  legal: { members: twoOptions(['accept', 'I accept'], ['decline', "I don't accept"]) },
  opinion_scale: { members: scaleMembers(11, (field) => (field.properties['start_at_one'] === true ? 1 : 0)) },
  nps: { members: scaleMembers(11, () => 0) },
  rating: { members: scaleMembers(5, () => 1) },
  date: { members: () => ({ type: 'date' }) },
  file_upload: { members: fileMembers },
  signature: { members: fileMembers, replacement: 'a file_upload' },
  calendly: { members: textMembers(), replacement: 'a text' },
  matrix: { members: matrixMembers },
  ranking: { members: rankingMembers, replacement: 'a matrix of choices and ranks' },
};

/** Unknown field types become a textarea, so that respondents can still answer. */
const UNKNOWN_TYPE: FieldType = { members: () => ({ type: 'textarea' }), replacement: 'a text' };

/** @param names names of members of the question by the names of Typeform */
function limitsOf({ validations }: Field, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([source, target]) => {
      const value = validations[source];
      return isCount(value) ? [[target, value]] : [];
    }),
  );
}

function labelsOf({ properties }: Field, min: number, max: number): JsonObject {
  const labels = objectOf(properties['labels']);
  const byPosition = { left: min, center: (min + max) / 2, right: max };
  return ratingLabels(
    Object.entries(byPosition).flatMap(([name, value]): readonly (readonly [number, string])[] => {
      const label = labels[name];
      return typeof label === 'string' && Number.isInteger(value) ? [[value, label]] : [];
    }),
  );
}

/**
 * Converts a matrix: each field is a row. Choices with the same label form a column, which keeps the ids of all of
 * them.
 */
function matrixMembers(field: Field, readList: ReadList): JsonObject {
  const choices = field.fields.flatMap((row) => choicesOf(row));
  if (choices.length === 0) return { type: 'textarea' };
  const byLabel = Map.groupBy(choices, ({ source: choice }) => {
    const label = String(choice['label'] ?? '').trim();
    return label === '' ? sourceIdOf(choice, '') : label;
  });
  const groups = [...byLabel.values()];
  const firstOfEach = groups.flatMap((group) => group.slice(0, 1));
  const columns = readList(firstOfEach, 'label').map((column, index) => {
    const ids = (groups[index] ?? []).map(({ source }) => sourceIdOf(source, ''));
    return { ...column, source_data: { ...sourceDataOf(column), choice_ids: ids } };
  });
  const required = field.fields.filter(({ validations }) => validations['required'] === true).length;
  return {
    type: 'matrix',
    rows: readList(field.fields, 'title'),
    columns,
    ...(field.fields.some(allowsMultiple) ? { multiple: true } : {}),
    ...(required > 0 ? { required: true } : {}),
    ...(required > 0 && required < field.fields.length ? { required_rows: required } : {}),
  };
}

/** Converts a ranking to a matrix of choices and ranks. */
function rankingMembers(field: Field, readList: ReadList): JsonObject {
  const choices = choicesOf(field);
  if (choices.length === 0) return { type: 'textarea' };
  return { type: 'matrix', rows: readList(choices, 'label'), columns: numberScale(choices.length) };
}

/** A form with the deleted choices that its responses still have. */
interface FormWithDeletedChoices {
  readonly form: JsonObject;
  /** The deleted choices. They come after the other choices of their field. */
  readonly deleted: ReadonlySet<JsonObject>;
}

/** Types of fields that get deleted choices. Rankings get none, because another choice would change the ranks. */
const TYPES_WITH_DELETED_CHOICES = new Set(['multiple_choice', 'picture_choice', 'dropdown']);

/**
 * Adds deleted choices to the fields of a form. These are choices that have a label in an answer, but are in neither
 * the form nor its translations.
 */
export async function addDeletedChoices(
  form: JsonObject,
  translations: Iterable<JsonObject>,
  responses: AsyncIterable<JsonValue>,
): Promise<FormWithDeletedChoices> {
  const fields = new Map(fieldsWithChoices(form).map((field) => [field.id, field]));
  const names = new Map([...fields].map(([id, field]) => [id, namesIn(field)]));
  for (const field of [...translations].flatMap(fieldsWithChoices)) {
    for (const name of namesIn(field)) names.get(field.id)?.add(name);
  }
  const added = new Map<string, JsonObject[]>();
  for await (const response of responses) {
    for (const answer of objectsOf(objectOf(response)['answers'])) {
      const id = fieldIdOf(answer);
      const [field, known] = [fields.get(id), names.get(id)];
      if (field === undefined || known === undefined) continue;
      const list = getOrAdd(added, id, () => []);
      for (const choice of labelledChoices(answer, settingOf(field, 'allow_other_choice') === true)) {
        const keys = namesOf(choice);
        if (keys.some((name) => known.has(name)) || choicesOf(field).length + list.length >= LIMITS.options) continue;
        for (const name of keys) known.add(name);
        list.push({ ...choice, id: choice['id'] ?? choice.label });
      }
    }
  }
  return { form: withChoices(form, added), deleted: new Set([...added.values()].flat()) };
}

/** The fields, at any depth, that can get deleted choices. */
function fieldsWithChoices(form: JsonObject): readonly Field[] {
  const fields = objectsOf(form['fields']).map((field) => toField(field, ''));
  for (const field of fields) fields.push(...field.fields);
  // The fields of a translation have no type.
  return fields.filter(
    (field) => (field.type === '' || TYPES_WITH_DELETED_CHOICES.has(field.type)) && choicesOf(field).length > 0,
  );
}

/** Ids, refs and labels of the choices of a field. */
function namesIn(field: Field): Set<string> {
  return new Set(choicesOf(field).flatMap(({ source }) => namesOf(source)));
}

function namesOf({ id, ref, label }: { readonly [name: string]: JsonValue | undefined }): readonly string[] {
  return [id, ref, label].filter((name) => typeof name === 'string').map((name) => name.trim());
}

/** Copies a form or group and adds choices to its fields. */
function withChoices(owner: JsonObject, added: ReadonlyMap<string, readonly JsonObject[]>): JsonObject {
  return { ...owner, ...mapObjects(owner, 'fields', (field) => fieldWithChoices(field, added)) };
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
