import type { Table } from './open-table.ts';

/** A table with each cell converted, including those of the header. */
export function mapCells(table: Table, convert: (cell: string) => string): Table {
  return {
    ...table,
    async *rows() {
      for await (const row of table.rows()) yield { ...row, cells: row.cells.map(convert) };
    },
  };
}
