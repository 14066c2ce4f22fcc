import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { objectsOf, questionsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import { scalarText } from './document.ts';

export interface IndexedOption {
  readonly id: string;
  /** Its number in Qualtrics logic and exports. */
  readonly key: string;
  /** Its value in exports of values. */
  readonly code: string;
  /** Export name of a row, if it has one. */
  readonly tag: string | undefined;
  readonly texts: readonly string[];
}

/** A converted question with its names and codes in Qualtrics. */
export interface IndexedQuestion {
  readonly id: string;
  readonly type: string;
  /** Id in Qualtrics, such as `QID1` or `QID1_2`. */
  readonly sourceId: string;
  /** Column name in exports. */
  readonly tag: string;
  readonly multiple: boolean;
  /** Whether it is a text question with a numeric format. */
  readonly isNumeric: boolean;
  readonly dateFormat: string | undefined;
  readonly options: readonly IndexedOption[];
  readonly rows: readonly IndexedOption[];
  readonly columns: readonly IndexedOption[];
}

/** The questions of a payload by `source_id`. Unlike `id`, it stays the same with `preserve_ids: false`. */
export function indexQuestions(payload: JsonObject): ReadonlyMap<string, IndexedQuestion> {
  const index = new Map<string, IndexedQuestion>();
  for (const question of questionsOf(payload)) {
    const data = isObject(question['source_data']) ? question['source_data'] : {};
    const [id, sourceId] = [scalarText(question['id']), scalarText(data['source_id'])];
    if (id === undefined || sourceId === undefined || index.has(sourceId)) continue;
    index.set(sourceId, {
      id,
      sourceId,
      type: String(question['type']),
      tag: scalarText(data['export_tag']) ?? sourceId,
      multiple: question['multiple'] === true,
      isNumeric: question['format'] === 'number' || question['format'] === 'integer',
      dateFormat: scalarText(data['date_format']),
      options: optionsOf(question['options']),
      rows: optionsOf(question['rows']),
      columns: optionsOf(question['columns']),
    });
  }
  return index;
}

function optionsOf(list: JsonValue | undefined): readonly IndexedOption[] {
  return objectsOf(list).flatMap((option) => {
    const data = isObject(option['source_data']) ? option['source_data'] : {};
    const [id, key] = [scalarText(option['id']), scalarText(data['source_id'])];
    if (id === undefined || key === undefined) return [];
    const texts = [...textsOf(option['text']), scalarText(data['variable']) ?? ''].filter((text) => text !== '');
    return [{ id, key, code: scalarText(data['recode']) ?? key, tag: scalarText(data['export_tag']), texts }];
  });
}
