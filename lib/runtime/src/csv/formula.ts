/**
 * First characters of formulas in spreadsheets, with full-width forms.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA_START = String.raw`[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const TO_MASK = new RegExp(`^'*${FORMULA_START}`);
const MASKED = new RegExp(`^'+${FORMULA_START}`);

/**
 * Adds an apostrophe to a cell that could be a formula, so that no spreadsheet evaluates it. A cell that already looks
 * masked gets another one, so that `unmaskFormula` can restore every cell.
 */
export function maskFormula(cell: string): string {
  return TO_MASK.test(cell) ? `'${cell}` : cell;
}

/** Restores the cell that `maskFormula` was given. It also removes a masking apostrophe that a person typed. */
export function unmaskFormula(cell: string): string {
  return MASKED.test(cell) ? cell.slice(1) : cell;
}
