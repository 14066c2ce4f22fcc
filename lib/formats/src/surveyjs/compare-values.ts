import type { JsonValue } from '@bufbuild/protobuf';

/** The value that expressions compare: texts that look like numbers are numbers. */
export function toOperandValue(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  // A leading zero makes it a text, except for 0 and 0.5.
  if (/^0./.test(value) && !/^0[.,]\d/.test(value)) return value;
  return /^\s*-?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s*$/.test(value) && value.trim().length <= 15
    ? Number(value.replace(',', '.'))
    : value;
}

/**
 * Whether two values are equal in SurveyJS expressions. Case and surrounding spaces do not matter, and a text with a
 * number equals the number.
 */
export function isSameValue(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (typeof one === 'string' && typeof other === 'string') return foldText(one) === foldText(other);
  if (typeof one === 'boolean' || typeof other === 'boolean') {
    if (typeof one === 'number' || typeof other === 'number') return Number(one) === Number(other);
    return isPlain(one) && isPlain(other) && String(one).toLowerCase() === String(other).toLowerCase();
  }
  return isNumeric(one) && isNumeric(other) && Number(one) === Number(other);
}

/** Whether the text of `whole` contains the text of `part`, ignoring case. False for empty parts, 0, false and lists. */
export function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (!isPlain(whole) || !isPlain(part) || part === '' || part === 0 || part === false) return false;
  return String(whole).toLowerCase().includes(String(part).toLowerCase());
}

function isPlain(value: JsonValue): value is string | number | boolean {
  return value !== null && typeof value !== 'object';
}

export function isNumeric(value: JsonValue): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));
}

/** A text for comparisons, which ignore case and surrounding spaces. */
export function foldText(text: string): string {
  return text.trim().toLowerCase();
}
