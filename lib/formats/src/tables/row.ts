/** A row with at least one cell that is not blank. */
export interface Row {
  /** Row number as in spreadsheets: from 1, including empty rows. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Positions of cells that are numbers in a workbook. Their decimal separator is always a point. */
  readonly numbers?: ReadonlySet<number>;
}

/** Maximum bytes of a row of text, and characters of a row of a workbook. */
export const MAX_ROW_SIZE = 1024 * 1024;
/** Maximum cells of a row. No survey has as many columns. */
export const MAX_CELLS = 20_000;
