import type { JsonObject } from '@bufbuild/protobuf';

/** Types of requirements that have an amount; all others ask for all rows. */
export const amountTypes: ReadonlySet<string> = new Set(['at_least', 'at_most', 'exactly', 'range']);

/** Whether each of so many rows has to be answered. */
export function requiresAll(required: JsonObject | undefined, rows: number): boolean {
  if (required === undefined) return false;
  return !amountTypes.has(String(required['type'])) || (amountsOf(required).least ?? 0) >= rows;
}

/** How many rows or choices have to be answered: `{type: all|at_least|at_most|exactly|range, amount}`. */
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
