import type { JsonObject } from '@bufbuild/protobuf';
import { numberOf } from '../core/source-questions.ts';
import type { Part } from './part.ts';
import type { SurveyMonkeyQuestion } from './question.ts';

const SLIDER = ['display_type', 'left_label', 'middle_label', 'right_label', 'custom_options'];
const TYPED = new Set(['rating', 'date', 'time']);

/** The validation members that need no warning: the new questions express them, or another warning reports them. */
export function takenRules({ validation }: SurveyMonkeyQuestion, parts: readonly Part[]): ReadonlySet<string> {
  const members = parts.map((part) => part.members);
  const has = (name: string) => members.some((one) => one[name] !== undefined);
  const { type, min } = validation;
  const isLength = type === 'text_length';
  const isTyped = isLength || type === 'any' || has('format') || members.some((one) => TYPED.has(String(one['type'])));
  const isAnyLength = isLength && (numberOf(min) ?? 0) <= 0;
  return new Set([
    ...(isTyped ? ['type'] : []),
    ...(has(isLength ? 'min_length' : 'min') || isAnyLength ? ['min'] : []),
    ...(has(isLength ? 'max_length' : 'max') ? ['max'] : []),
    // Sums have a warning of their own.
    ...['sum', 'sum_text'],
  ]);
}

/** The display members that are converted. */
export function takenDisplay({ display_type: type }: JsonObject): ReadonlySet<string> {
  return new Set(type === 'slider' ? SLIDER : type === 'file_upload' ? ['display_type'] : []);
}
