/** What spreadsheets take for the beginning of a formula, full-width forms included. https://owasp.org/www-community/attacks/CSV_Injection */
const STARTS = String.raw`[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const TO_MASK = new RegExp(`^'*${STARTS}`);
const MASKED = new RegExp(`^'+${STARTS}`);

/**
 * A cell that no spreadsheet evaluates: one that could be a formula gets an apostrophe before it, and so does one that
 * looks as if it had got one, so that `unmaskFormula` gives every cell back.
 */
export function maskFormula(cell: string): string {
  return TO_MASK.test(cell) ? `'${cell}` : cell;
}

/** The cell that `maskFormula` was given. One written by hand loses the apostrophe that kept it from being a formula. */
export function unmaskFormula(cell: string): string {
  return MASKED.test(cell) ? cell.slice(1) : cell;
}
