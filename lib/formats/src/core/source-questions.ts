import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { toUnknown, toUnknownName } from './columns/choices.ts';
import { addToSet } from './maps.ts';
import { sourceDataOf } from './source-data.ts';
import { textsOf } from './texts.ts';

/** The questions of a creation payload, at most as many as a survey can have. */
export function questionsOf(payload: JsonObject): readonly JsonObject[] {
  // Parts of a JSON payload are JSON.
  return readDefinition(payload).questions.map(({ source }) => source as JsonObject);
}

/** A question of an imported survey. Its ids may have changed since the import. */
export interface AnsweredQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: JsonObject;
  readonly sourceData: JsonObject;
}

/** Looks up items of a question by their id in the other tool. */
export interface SourceItems {
  /** The id of the item with this id in the other tool. */
  idOf(sourceId: JsonValue | undefined): string | undefined;
  /** The id of the item with this text. If several items have it, the text, which validation rejects as ambiguous. */
  idOfText(text: string): string | undefined;
  /** The value for an item that the question does not have. See `toUnknown`. */
  unknown(name: JsonValue): JsonValue;
  /** The name of a row that the question does not have. */
  unknownName(name: string): string;
}

/** The questions that have `source_data` of the other tool. */
export function answeredQuestions(payload: JsonObject): readonly AnsweredQuestion[] {
  return questionsOf(payload).flatMap((question) => {
    const { id, type, source_data: sourceData } = question;
    return isObject(sourceData) ? [{ id: String(id), type: String(type), question, sourceData }] : [];
  });
}

/**
 * Finds items by their id in the other tool, or by text if the tool exports only texts.
 *
 * @param list the options, rows or columns of a question
 * @param namesOf the ids of an item in the other tool
 */
export function createSourceItems(
  list: JsonValue | undefined,
  namesOf: (sourceData: JsonObject) => readonly (JsonValue | undefined)[] = ({ source_id: id }) => [id],
): SourceItems {
  const items = objectsOf(list);
  const byName = new Map<string, string>();
  const byText = new Map<string, Set<string>>();
  for (const { id, text, source_data: sourceData } of items) {
    for (const name of isObject(sourceData) ? namesOf(sourceData) : []) {
      if (name !== undefined && !byName.has(String(name))) byName.set(String(name), String(id));
    }
    for (const one of textsOf(text)) addToSet(byText, one.trim(), String(id));
  }
  const ids = new Set(items.map(({ id }) => String(id)));
  const known = items.map(({ id, text }) => ({
    id: String(id),
    texts: textsOf(text).filter((one) => byText.get(one.trim())?.size === 1),
  }));
  return {
    idOf: (sourceId) => (sourceId === undefined ? undefined : byName.get(String(sourceId))),
    idOfText(text) {
      const [id, ...others] = byText.get(text.trim()) ?? [];
      if (others.length === 0) return id;
      // Validation would not reject a text that is the id of an item.
      return ids.has(text.trim()) ? undefined : text;
    },
    unknown: (name) => toUnknown(name, known),
    unknownName: (name) => toUnknownName(name, known),
  };
}

/** An option with its value in the other tool. */
export interface SourceOption {
  /** Id in the survey. */
  readonly id: string;
  readonly value: JsonValue;
}

/**
 * A question as an operand of conditions in another tool. `json` answers are kept as JSON text. For the kind
 * `presence`, conditions can test only whether the question is answered.
 */
export interface SourceOperand {
  readonly id: string;
  readonly kind: 'choice' | 'choices' | 'number' | 'text' | 'date' | 'time' | 'json' | 'presence';
  /** The options of a choice. */
  readonly options: readonly SourceOption[];
}

const KINDS: Readonly<Record<string, SourceOperand['kind']>> = {
  single_choice: 'choice',
  multiple_choice: 'choices',
  likert: 'choice',
  rating: 'number',
  text: 'text',
  textarea: 'text',
  date: 'date',
  time: 'time',
};

export function toSourceOperand(question: JsonObject): SourceOperand {
  const { id, type, rows, format } = question;
  const isNumber = type === 'text' && (format === 'number' || format === 'integer');
  const keptAs = sourceDataOf(question)['kept_as'];
  const kind = KINDS[String(type)] ?? 'presence';
  return {
    id: String(id),
    kind: rows !== undefined ? 'presence' : keptAs === 'json' ? 'json' : isNumber ? 'number' : kind,
    options: toSourceOptions(question, 'options'),
  };
}

/** The options, rows or columns of a question, with their values in the other tool. `other` is an option too. */
export function toSourceOptions(question: JsonObject, list: 'options' | 'rows' | 'columns'): readonly SourceOption[] {
  const options = objectsOf(question[list]).flatMap((item): readonly SourceOption[] => {
    const { id } = item;
    return typeof id === 'string' ? [{ id, value: sourceDataOf(item)['source_id'] ?? id }] : [];
  });
  return list === 'options' && question['allow_other'] === true
    ? [...options, { id: 'other', value: 'other' }]
    : options;
}

/** The objects of a list; empty for other values. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return itemsOf(value).filter((item): item is JsonObject => isObject(item));
}

/** The object; an empty one for other values. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** An object in a file. */
export interface LocatedObject {
  readonly source: JsonObject;
  /** JSON pointer into the file. */
  readonly path: string;
}

/** The objects in the list `name` of `owner`. Other items are left out. */
export function locatedObjects(owner: JsonObject, name: string, path: string): readonly LocatedObject[] {
  const list = owner[name];
  return (Array.isArray(list) ? list : []).flatMap((source, index) =>
    isObject(source) ? [{ source, path: `${path}/${name}/${index}` }] : [],
  );
}

/** A finite number, or a text with one. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** True for an integer from 1 on, such as a limit of a length. */
export function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

/** The only item of a list. Several items stay a list, which validation rejects for a single choice. */
export function onlyOf<Item>(items: Item[]): Item | Item[] | undefined {
  return items.length > 1 ? items : items[0];
}

/** The answer to a choice. `other` is the text of the option `other`; undefined if it is not chosen. */
export function toChoiceAnswer(
  type: 'single_choice' | 'multiple_choice',
  chosen: JsonValue[],
  other: string | undefined,
): JsonValue | undefined {
  if (type === 'multiple_choice') return other === undefined ? chosen : { options: chosen, other };
  return other === undefined ? onlyOf(chosen) : { option: 'other', text: other };
}

/** The answer to a ranking that became a matrix of choices and ranks: the position of a row is its rank. */
export function toRankAnswer(question: JsonObject, rows: readonly JsonValue[]): JsonObject {
  const ranks = objectsOf(question['columns']).map(({ id }) => String(id));
  return Object.fromEntries(rows.map((row, index) => [row, ranks[index] ?? String(index + 1)]));
}
