import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { sourceDataOf } from './source-data.ts';

/** An option by what the other tool calls it. */
export interface SourceOption {
  /** Ours. */
  readonly id: string;
  readonly value: JsonValue;
}

/** How conditions of another tool look at one of our questions: `json` holds whatever an answer was there, as a text. */
export interface SourceOperand {
  readonly id: string;
  readonly kind: 'choice' | 'choices' | 'number' | 'text' | 'date' | 'time' | 'json' | 'presence';
  /** Of a choice: what can be chosen. */
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

/** The options, rows or columns of a question by what the other tool calls them; an own wording is `other` everywhere. */
export function toSourceOptions(question: JsonObject, list: 'options' | 'rows' | 'columns'): readonly SourceOption[] {
  const items = question[list];
  const options = (Array.isArray(items) ? items : []).flatMap((item): readonly SourceOption[] => {
    if (!isObject(item) || typeof item['id'] !== 'string') return [];
    return [{ id: item['id'], value: sourceDataOf(item)['source_id'] ?? item['id'] }];
  });
  return list === 'options' && question['allow_other'] === true
    ? [...options, { id: 'other', value: 'other' }]
    : options;
}
