import type { JsonObject } from '@bufbuild/protobuf';
import type { ColumnKind } from '../../tables/column-values.ts';
import type { Row } from '../../tables/row.ts';

/**
 * The header of a table that a survey tool exported, such as Qualtrics. Headings are codes of the tool: `Q1_2` belongs
 * to option 2 of question Q1. Readers and plans share it.
 */
export interface TableHeader {
  /** Cells of the first row, trimmed, without empty ones at the end. */
  readonly headings: readonly string[];
  /** The headings as the tool's reader uses them; empty for columns that the option `columns` names. */
  readonly names: readonly string[];
  readonly headerRows: number;
  /** Targets of columns by position, as in the option `columns`. */
  readonly targets: ReadonlyMap<number, string>;
  /** Kinds of dates and times in the cells, by position. */
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  /** Throws `INVALID_IMPORT` if a column occurs twice. With `needsQuestion`, also if no column is of a question. */
  check(table: CheckedTable): void;
}

interface CheckedTable {
  /** Names the kind of the file in messages, such as `CSV with semicolons`. */
  readonly description: string;
  /** Whether the table must have a column of a question. */
  readonly needsQuestion: boolean;
}

/**
 * Reads a header from the first rows of a table. Throws `INVALID_IMPORT` if there is no row.
 *
 * @param start the first three rows, with cells as the reader gets them
 * @param assigned positions of columns that the option `columns` names
 */
export type ReadTableHeader = (
  start: readonly Row[],
  payload: JsonObject,
  assigned: ReadonlySet<number>,
) => TableHeader;

/** Maximum header rows of a tool's table. */
export const MAX_TABLE_HEADER = 3;
