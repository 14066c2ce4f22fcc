import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { sourceDataOf } from './source-data.ts';

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
  const items = question[list];
  const options = (Array.isArray(items) ? items : []).flatMap((item): readonly SourceOption[] => {
    if (!isObject(item) || typeof item['id'] !== 'string') return [];
    return [{ id: item['id'], value: sourceDataOf(item)['source_id'] ?? item['id'] }];
  });
  return list === 'options' && question['allow_other'] === true
    ? [...options, { id: 'other', value: 'other' }]
    : options;
}
