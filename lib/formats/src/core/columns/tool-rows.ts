import type { JsonObject } from '@bufbuild/protobuf';
import type { Warn } from '../../files/report.ts';
import type { ColumnValues } from '../../tables/column-values.ts';
import { watchNameless } from '../../tables/header.ts';
import type { Table } from '../../tables/open-table.ts';
import { learnValues } from '../../tables/read-values.ts';
import type { Row } from '../../tables/row.ts';
import type { TableOptions } from '../../tables/table-options.ts';
import { addUnreadCells, type FileResponse } from '../responses/response.ts';
import type { MappedColumns } from './mapped-columns.ts';
import { findResponseRows, type ResponseRows } from './rows.ts';
import { MAX_TABLE_HEADER, type ReadTableHeader, type TableHeader } from './table-header.ts';

/** A row of a tool's table after its header. */
interface ToolRow {
  /** From 0. */
  readonly index: number;
  /** All cells, with converted values. */
  readonly whole: Row;
  /** All cells, but empty in mapped columns. */
  readonly cells: readonly string[];
  /**
   * Adds the cells that cannot be read to the response of the row, and then the values of mapped columns.
   *
   * @param row the row with the values of mapped columns, by default `whole`
   */
  finish(response: FileResponse, row?: Row): FileResponse;
}

interface ReadOptions {
  readonly values: ColumnValues;
  readonly mapped: Pick<MappedColumns, 'hide' | 'addTo' | 'positions'>;
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

/** Finds the rows of a tool's table that are no responses. */
export function findToolRows(opened: Table, readHeader: ReadTableHeader, payload: JsonObject): Promise<ResponseRows> {
  const none: ReadonlySet<number> = new Set();
  return findResponseRows(opened, {
    countKnown(row) {
      const { targets } = readHeader([row], payload, none);
      return [...targets.values()].filter((name) => !name.startsWith('metadata.')).length;
    },
    isAboutResponse: () => false,
    headerRows: (start) => readHeader(start.slice(0, MAX_TABLE_HEADER), payload, none).headerRows,
  });
}

/** Reads the rows after the header. Warns about values in columns without a name. */
export async function* readToolRows(
  table: Table,
  { names, headings, headerRows, targets }: Pick<TableHeader, 'names' | 'headings' | 'headerRows' | 'targets'>,
  { values, mapped, warn }: ReadOptions,
): AsyncGenerator<ToolRow> {
  const watch = watchNameless(names, warn);
  const columns = [...headings.entries()]
    .filter(([position]) => !mapped.positions.has(position))
    .map(([position, heading]) => ({ position, heading, target: targets.get(position) ?? '' }));
  let index = -headerRows;
  for await (const row of table.rows()) {
    if (index >= 0) {
      const whole = values.convert(withPlainNumbers(row));
      const cells = mapped.hide(whole.cells);
      watch(cells);
      const finish = (response: FileResponse, given = whole) =>
        mapped.addTo(addUnreadCells(response, whole, columns), given);
      yield { index, whole, cells, finish };
    }
    index += 1;
  }
}

/**
 * Numbers of a workbook as codes of options: without the decimals and units that the workbook displays, but with zeros
 * at the beginning.
 */
function withPlainNumbers(row: Row): Row {
  const { cells, numbers } = row;
  if (numbers === undefined) return row;
  const isPadded = (cell: string) => /^0\d/.test(cell);
  return { ...row, cells: cells.map((cell, position) => (isPadded(cell) ? cell : (numbers.get(position) ?? cell))) };
}
