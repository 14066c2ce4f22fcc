import type { JsonValue } from '@bufbuild/protobuf';
import { escapePattern } from '../core/logic/escape-pattern.ts';
import { any, condition, type Formula, NEVER } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import { withoutEndZeros } from '../tables/numbers.ts';
import { toOperandValue } from './compare-values.ts';

/** Converts an operator on a text. SurveyJS ignores case, and the notation of numbers. */
export function whereText(id: string, operator: string, literal: JsonValue): Formula {
  if (operator === '=') return Array.isArray(literal) ? NEVER : condition(id, 'matches', patternOf(literal));
  if (operator === 'anyof' && Array.isArray(literal)) {
    return any(...literal.map((item) => condition(id, 'matches', patternOf(item))));
  }
  if (operator === 'contains' && !Array.isArray(literal)) {
    return literal === 0 || literal === false ? NEVER : condition(id, 'contains', String(literal));
  }
  throw new NotConvertedError(`${operator} is not supported for texts`);
}

function patternOf(literal: JsonValue): string {
  if (literal === null || typeof literal === 'object') throw new NotConvertedError('it compares a text with an object');
  const value = toOperandValue(literal);
  if (typeof value === 'boolean') return `^(?i:${value})$`;
  const text = String(literal).trim();
  const number = /^(-?)(\d+(?:\.\d*)?)$/.exec(text);
  if (number === null) return `^\\s*(?i:${escapePattern(text)})\\s*$`;
  const [, sign = '', digits = ''] = number;
  const [whole = '', fraction = ''] = (digits.includes('.') ? withoutEndZeros(digits) : digits)
    .replace(/^0+(?=\d)/, '')
    .split('.');
  // A text with a leading zero counts as a number only if compared with a number.
  const zeros = typeof literal === 'number' ? '0*' : '';
  const numberPattern = `${sign}${zeros}${whole}${fraction === '' ? '(?:[.,]0*)?' : `[.,]${fraction}0*`}`;
  return `^\\s*(?:${numberPattern}|${escapePattern(text)})\\s*$`;
}
