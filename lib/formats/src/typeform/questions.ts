import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { textMember } from '../core/draft.ts';
import { createUniqueOptionIds, type ToUniqueId } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { MAX_SEARCHED_TEXT } from './conditions.ts';
import type { Field } from './field.ts';
import { fieldTypes, unknownType } from './field-types.ts';
import type { ReadList } from './matrix.ts';
import type { FormTexts } from './texts.ts';

export interface QuestionContext {
  readonly texts: FormTexts;
  readonly toUniqueId: ToUniqueId;
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

export function toQuestion(field: Field, context: QuestionContext): JsonObject {
  const { texts, toUniqueId, keep } = context;
  const found = Object.hasOwn(fieldTypes, field.type) ? fieldTypes[field.type] : undefined;
  const type = found ?? unknownType;
  const members = limitSearched(validMembers(type.members(field, createReadList(context))), field, context);
  warnOfType(field, type.replacement, members, context);
  warnOfRows(field, members, context);
  const id = toUniqueId(field.id);
  if (id !== field.id) {
    context.warnOnce(field.id, {
      path: `${field.path}/id`,
      code: 'ID_CHANGED',
      detail: `The id is invalid or duplicate; the new id is ${id}`,
    });
  }
  return {
    id,
    title: titleOf(field, context),
    ...textMember('description', texts.read(field.source, 'description', field.path)),
    ...(field.validations['required'] === true ? { required: true } : {}),
    ...members,
    source_data: {
      ...keep(field.source, FIELD_MEMBERS, field.path),
      ...keep(field.properties, PROPERTIES, `${field.path}/properties`),
      ...keep(field.validations, VALIDATIONS, `${field.path}/validations`),
      source_id: field.id,
      type: field.type,
      ...(field.ref === field.id ? {} : { ref: field.ref }),
    },
  };
}

/** Limits a text that a condition searches. Without this limit, the draft of the survey would set a higher one. */
function limitSearched(members: JsonObject, { ref }: Field, { searched }: QuestionContext): JsonObject {
  const isText = members['type'] === 'text' || members['type'] === 'textarea';
  return isText && searched.has(ref) ? { max_length: MAX_SEARCHED_TEXT, ...members } : members;
}

function titleOf({ source, path, type }: Field, { texts, warnOnce }: QuestionContext) {
  const title = texts.read(source, 'title', path);
  if (!isEmptyText(title)) return toJsonText(title);
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
