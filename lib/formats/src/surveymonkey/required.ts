import type { JsonObject } from '@bufbuild/protobuf';

/** Requirement types with an amount. All others require every row. */
export const amountTypes: ReadonlySet<string> = new Set(['at_least', 'at_most', 'exactly', 'range']);

/** Whether every row is required. */
export function requiresAll(required: JsonObject | undefined, rows: number): boolean {
  if (required === undefined) return false;
  return !amountTypes.has(String(required['type'])) || (amountsOf(required).least ?? 0) >= rows;
}

/** Minimum and maximum of rows or choices: `{type: all|at_least|at_most|exactly|range, amount}`. */
export function amountsOf(required: JsonObject | undefined): {
  readonly least: number | undefined;
  readonly most: number | undefined;
} {
  const [first, last = first] = String(required?.['amount'] ?? '')
    .split('-')
    .map(Number)
    .filter((amount) => Number.isInteger(amount) && amount > 0);
  switch (required?.['type']) {
    case 'at_least':
      return { least: first, most: undefined };
    case 'at_most':
      return { least: undefined, most: first };
    case 'exactly':
      return { least: first, most: first };
    case 'range':
      return { least: first, most: last };
    default:
      return { least: undefined, most: undefined };
  }
}
