/**
 * Compares the value of a choice with a literal. XPath compares as texts if one operand is a text, otherwise as
 * numbers. Order always compares numbers.
 */
export function compareValue(value: string, operator: string, literal: string | number): boolean {
  if (operator === '=') return typeof literal === 'string' ? value === literal : toNumber(value) === literal;
  return compareNumbers(toNumber(value), operator, toNumber(String(literal)));
}

export function compareNumbers(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    default:
      return left >= right;
  }
}

/** An empty text is no number, as in XPath. */
export function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
