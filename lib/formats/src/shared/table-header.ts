import type { JsonObject } from '@bufbuild/protobuf';
import type { ColumnKind } from '../tables/column-values.ts';
import type { Row } from '../tables/row.ts';

/** The header of a tool's table, whose headings are names of the tool. Readers and plans share it. */
export interface TableHeader {
  /** Cells of the first row, trimmed, without empty ones at the end. */
  readonly headings: readonly string[];
  /** Names of the columns as the tool's reader uses them; empty for columns that it must ignore. */
  readonly names: readonly string[];
  readonly headerRows: number;
  /** Targets of columns by position, as in the option `columns`. */
  readonly targets: ReadonlyMap<number, string>;
  /** Kinds of dates and times in the cells, by position. */
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  /** Throws `INVALID_IMPORT` if a column occurs twice, or none is of a question although one must be. */
  check(table: CheckedTable): void;
}

interface CheckedTable {
  /** The way in which the file is read, for messages. */
  readonly description: string;
  /** Whether the table must have a column of a question. */
  readonly needsQuestion: boolean;
}

/**
 * Reads a header from the first rows of a table. Throws `INVALID_IMPORT` without a row.
 *
 * @param start the first three rows, with cells as the reader gets them
 * @param ignored positions of columns that the option `columns` names
 */
export type ReadTableHeader = (start: readonly Row[], payload: JsonObject, ignored: ReadonlySet<number>) => TableHeader;

/** Maximum header rows of a tool's table. */
export const MAX_TABLE_HEADER = 3;
