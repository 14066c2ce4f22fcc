/** A row with at least one cell that is not blank. */
export interface Row {
  /** Row number as in spreadsheets: from 1, including empty rows. */
  readonly number: number;
  /** The cells as they are displayed, with dates in ISO 8601. */
  readonly cells: readonly string[];
  /**
   * Numbers of a workbook, by position, with a decimal point. The cell shows the same number, perhaps with zeros before
   * it, fewer decimals or a unit: `00123`, `2.50 €`.
   */
  readonly numbers?: ReadonlyMap<number, string>;
  /** Cells that cannot be read, by position. They are empty in `cells`. */
  readonly unread?: ReadonlyMap<number, UnreadCell>;
}

/** A cell that cannot be read. */
export interface UnreadCell {
  readonly code: string;
  /** The reason. Never contains the value. */
  readonly detail: string;
  readonly value: string;
}

/** Maximum bytes of a row of text, and characters of a row of a workbook. */
export const MAX_ROW_SIZE = 1024 * 1024;
/** Maximum cells of a row. No survey has as many columns. */
export const MAX_CELLS = 20_000;
