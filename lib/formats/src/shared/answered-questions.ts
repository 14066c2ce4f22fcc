import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { textsOf } from './language-texts.ts';
import { questionsOf } from './payload-questions.ts';

/** A question of an imported survey. Its ids may have changed since the import. */
export interface AnsweredQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: JsonObject;
  readonly sourceData: JsonObject;
}

/** Looks up items of a question by their id in the other tool. */
export interface SourceItems {
  /** The id of the item with this `source_id`, or with this text. */
  idOf(sourceId: JsonValue | undefined, text?: JsonValue): string | undefined;
}

/** The questions that have `source_data` of the other tool. */
export function answeredQuestions(payload: JsonObject): readonly AnsweredQuestion[] {
  return questionsOf(payload).flatMap((question) => {
    const { id, type, source_data: sourceData } = question;
    return isObject(sourceData) ? [{ id: String(id), type: String(type), question, sourceData }] : [];
  });
}

export function listItemsOf(question: JsonObject, list: 'options' | 'rows' | 'columns'): readonly JsonObject[] {
  const items = question[list];
  return isArray(items) ? items.filter((item) => isObject(item)) : [];
}

/** Finds items by their id in the other tool, or by text if the tool exports only texts. */
export function createSourceItems(
  items: readonly JsonObject[],
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
