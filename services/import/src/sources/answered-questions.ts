import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { textsOf } from './language-texts.ts';
import { questionsOf } from './payload-questions.ts';

/** A question of a survey that a reader of this service has made, whatever has become of its ids since. */
export interface AnsweredQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: JsonObject;
  readonly sourceData: JsonObject;
}

/** One of the lists of a question, by what the other tool calls its items. */
export interface SourceItems {
  /** The id here of an item with a `source_id`, else with a text. */
  idOf(sourceId: JsonValue | undefined, text?: JsonValue): string | undefined;
}

/** The questions that keep the id that they have in the other tool. */
export function answeredQuestions(payload: JsonObject): readonly AnsweredQuestion[] {
  return questionsOf(payload).flatMap((question) => {
    const { id, type, source_data: sourceData } = question;
    return isObject(sourceData) ? [{ id: String(id), type: String(type), question, sourceData }] : [];
  });
}

/** The items of `options`, `rows` or `columns`. */
export function itemsOfSource(question: JsonObject, list: 'options' | 'rows' | 'columns'): readonly JsonObject[] {
  const items = question[list];
  return isArray(items) ? items.filter((item) => isObject(item)) : [];
}

/** Finds items by the id that they have in the other tool, and by their texts where the tool gives nothing else. */
export function createSourceItems(
  items: readonly JsonObject[],
  /** All that the other tool may call an item by. */
  namesOf: (sourceData: JsonObject) => readonly (JsonValue | undefined)[] = ({ source_id: id }) => [id],
): SourceItems {
  const byName = new Map<string, string>();
  const byText = new Map<string, string>();
  for (const { id, text, source_data: sourceData } of items) {
    for (const name of isObject(sourceData) ? namesOf(sourceData) : []) {
      if (name !== undefined && !byName.has(String(name))) byName.set(String(name), String(id));
    }
    for (const one of textsOf(text)) if (!byText.has(one.trim())) byText.set(one.trim(), String(id));
  }
  return {
    idOf: (sourceId, text) =>
      byName.get(String(sourceId)) ?? (typeof text === 'string' ? byText.get(text.trim()) : undefined),
  };
}
