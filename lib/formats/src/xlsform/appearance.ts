import type { FormRow } from './form.ts';

/** Appearances of tables, and of the screen around them. */
const TABLE_APPEARANCES = new Set(['table-list', 'field-list', 'label', 'list', 'list-nolabel']);

export function hasAppearance(row: FormRow, appearance: string): boolean {
  return appearancesOf(row).includes(appearance);
}

export function hasOnlyTableAppearances(row: FormRow): boolean {
  return appearancesOf(row).every((appearance) => TABLE_APPEARANCES.has(appearance));
}

function appearancesOf({ cells }: FormRow): readonly string[] {
  return (cells.get('appearance') ?? '').split(/\s+/);
}
