import type { JsonObject } from '@bufbuild/protobuf';
import type { Part } from './part.ts';
import { type MonkeyQuestion, numberOf } from './question.ts';

const SLIDER = ['display_type', 'left_label', 'middle_label', 'right_label', 'custom_options'];
const TYPED = new Set(['rating', 'date', 'time']);

/** Which members of a question's validation its parts keep to. */
export function takenRules({ validation }: MonkeyQuestion, parts: readonly Part[]): ReadonlySet<string> {
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
    // The warning of sums tells of them.
    ...['sum', 'sum_text'],
  ]);
}

/** Which members of how a question looks say what it asks for. */
export function takenDisplay({ display_type: type }: JsonObject): ReadonlySet<string> {
  return new Set(type === 'slider' ? SLIDER : type === 'file_upload' ? ['display_type'] : []);
}
