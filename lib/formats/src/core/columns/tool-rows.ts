import type { Warn } from '../../files/report.ts';
import type { ColumnValues } from '../../tables/column-values.ts';
import { watchNameless } from '../../tables/header.ts';
import type { Table } from '../../tables/open-table.ts';
import { learnValues } from '../../tables/read-values.ts';
import type { Row } from '../../tables/row.ts';
import type { TableOptions } from '../../tables/table-options.ts';
import type { MappedColumns } from './mapped-columns.ts';
import type { TableHeader } from './table-header.ts';

/** A row of a tool's table after its header. */
interface ToolRow {
  /** From 0. */
  readonly index: number;
  /** All cells, with converted values. */
  readonly whole: Row;
  /** All cells, but empty in mapped columns. */
  readonly cells: readonly string[];
}

interface ReadOptions {
  readonly values: ColumnValues;
  readonly mapped: Pick<MappedColumns, 'hide'>;
  readonly warn: Warn;
}

/** Learns how a tool's table writes dates and numbers, including mapped columns. Throws like `learnValues`. */
export function learnToolValues(
  table: Table,
  { kinds, headings, headerRows }: Pick<TableHeader, 'kinds' | 'headings' | 'headerRows'>,
  mapped: Pick<MappedColumns, 'kinds'>,
  options: TableOptions,
): Promise<ColumnValues> {
  return learnValues(table, { kinds: new Map([...kinds, ...mapped.kinds]), names: headings, headerRows, options });
}

/** Reads the rows after the header. Warns about values in columns without a name. */
export async function* readToolRows(
  table: Table,
  { names, headerRows }: Pick<TableHeader, 'names' | 'headerRows'>,
  { values, mapped, warn }: ReadOptions,
): AsyncGenerator<ToolRow> {
  const watch = watchNameless(names, warn);
  let index = -headerRows;
  for await (const row of table.rows()) {
    if (index >= 0) {
      const whole = { ...row, cells: values.convert(row) };
      const cells = mapped.hide(whole.cells);
      watch(cells);
      yield { index, whole, cells };
    }
    index += 1;
  }
}
