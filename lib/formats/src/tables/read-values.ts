import { AppError } from '@survey/runtime/errors/app-error';
import { type ColumnKind, type ColumnValues, createColumnValues, type ValueOptions } from './column-values.ts';
import type { Table } from './open-table.ts';

interface Columns {
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  readonly names: readonly string[];
  /** Number of header rows. */
  readonly headerRows: number;
  readonly options: ValueOptions;
}

/**
 * Looks at all rows of a table to learn how its columns write dates and numbers. Throws `INVALID_IMPORT` if a column
 * can be read in two ways.
 */
export async function learnValues(table: Table, { kinds, names, headerRows, options }: Columns): Promise<ColumnValues> {
  const values = createColumnValues(kinds, names, options);
  if (!values.needsRows) return values;
  let left = headerRows;
  try {
    for await (const row of table.rows()) {
      if (left > 0) left -= 1;
      else values.learn(row);
    }
  } catch (error) {
    // The import reads the rows again, and then reports this error after the rows before it.
    if (!(error instanceof AppError)) throw error;
  }
  values.check();
  return values;
}
