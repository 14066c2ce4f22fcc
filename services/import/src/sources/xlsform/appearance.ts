import type { FormRow } from './form.ts';

/** Those that make a table, and the screen of its own that it has. */
const OF_TABLES = new Set(['table-list', 'field-list', 'label', 'list', 'list-nolabel']);

/** Whether a row is to look like this, maybe among other things. */
export function looksLike(row: FormRow, appearance: string): boolean {
  return appearancesOf(row).includes(appearance);
}

/** Whether all that is said of how a row looks is that it is of a table. */
export function looksOnlyLikeTable(row: FormRow): boolean {
  return appearancesOf(row).every((appearance) => OF_TABLES.has(appearance));
}

function appearancesOf({ cells }: FormRow): readonly string[] {
  return (cells.get('appearance') ?? '').split(/\s+/);
}
