import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { objectsOf } from '../core/source-questions.ts';

/** The member that defines the kind of a question, with its name. */
export interface QuestionKind {
  readonly name: string;
  readonly members: JsonObject;
}

/** Finds the kind of a question, such as `choiceQuestion`. */
export function kindOf(question: JsonObject): QuestionKind {
  for (const [name, members] of Object.entries(question)) {
    if (name.endsWith('Question') && isObject(members)) return { name, members };
  }
  return { name: '', members: {} };
}

export function objectIn(owner: JsonObject, name: string): JsonObject | undefined {
  const value = owner[name];
  return isObject(value) ? value : undefined;
}

export function objectsIn(owner: JsonObject, name: string): readonly JsonObject[] {
  return objectsOf(owner[name]);
}

export function textIn(owner: JsonObject, name: string): string {
  const value = owner[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** A safe integer. The API writes 64-bit integers as strings. */
export function integerIn(owner: JsonObject, name: string): number | undefined {
  const value: JsonValue | undefined = owner[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
