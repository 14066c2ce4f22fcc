import type { Table } from './open-table.ts';
import type { Row } from './row.ts';

/** Reads up to `count` rows from the start of a table. */
export async function firstRows(table: Pick<Table, 'rows'>, count: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of table.rows()) {
    rows.push(row);
    if (rows.length >= count) break;
  }
  return rows;
}
