import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';

export interface SurveyMonkeyQuestion {
  readonly source: JsonObject;
  readonly path: string;
  readonly id: string;
  /** `family/subtype`. */
  readonly kind: string;
  readonly family: string;
  readonly subtype: string;
  /** Choices, rows and columns include hidden items. A list is empty if all its items are hidden. */
  readonly choices: readonly SurveyMonkeyItem[];
  readonly rows: readonly SurveyMonkeyItem[];
  readonly columns: readonly SurveyMonkeyItem[];
  /** The `other` choice, or the comment field. */
  readonly other: JsonObject | undefined;
  readonly display: JsonObject;
  readonly validation: JsonObject;
  /** Undefined if the question is optional. */
  readonly required: JsonObject | undefined;
}

/** A choice, row or column. */
export interface SurveyMonkeyItem {
  readonly source: JsonObject;
  readonly path: string;
}

export function toMonkeyQuestion(value: JsonValue, path: string): SurveyMonkeyQuestion {
  const source = objectOf(value);
  const answers = objectOf(source['answers']);
  const answersPath = `${path}/answers`;
  const family = String(source['family'] ?? '');
  const subtype = String(source['subtype'] ?? '');
  return {
    source,
    path,
    id: toId(source['id']) ?? path,
    kind: `${family}/${subtype}`,
    family,
    subtype,
    choices: listIn(answers, 'choices', answersPath),
    rows: listIn(answers, 'rows', answersPath),
    columns: listIn(answers, 'cols', answersPath),
    other: isObject(answers['other']) && isShown(answers['other']) ? answers['other'] : undefined,
    display: objectOf(source['display_options']),
    validation: objectOf(source['validation']),
    required: isObject(source['required']) ? source['required'] : undefined,
  };
}

/** The items of a list, with their locations; empty if all are hidden. */
export function listIn(owner: JsonObject, name: string, path: string): readonly SurveyMonkeyItem[] {
  const items = itemsIn(owner, name, path);
  return shownOf(items).length === 0 ? [] : items;
}

export function shownOf(items: readonly SurveyMonkeyItem[]): readonly SurveyMonkeyItem[] {
  return items.filter(({ source }) => isShown(source));
}

/** Whether respondents see an item. */
export function isShown({ visible }: JsonObject): boolean {
  return visible !== false;
}

function itemsIn(owner: JsonObject, name: string, path: string): readonly SurveyMonkeyItem[] {
  const list = owner[name];
  if (!isArray(list)) return [];
  return list.flatMap((source, index) => (isObject(source) ? [{ source, path: `${path}/${name}/${index}` }] : []));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function toId(value: JsonValue | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}
