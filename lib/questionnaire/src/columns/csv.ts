/** Begins a CSV file. Without it, spreadsheets do not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/**
 * A text, a number, or the digits of a number; undefined is an empty cell. Numbers and digits are not masked, because
 * no spreadsheet evaluates them as formulas.
 */
export type Cell = string | number | Digits | undefined;

/** A number as it was written: `-3.50`. It is neither masked nor quoted, so check that the text is a number. */
export interface Digits {
  readonly digits: string;
}

/** Rows as a CSV file (RFC 4180). Texts that could be formulas are masked: see `maskFormula`. */
export function toCsvText(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((cells) => toCsvLine(cells)).join('');
}

interface LineOptions {
  /** Whether texts that could be formulas are masked (default true). */
  readonly maskFormulas?: boolean;
}

/** One row of a CSV file, with its line break. */
export function toCsvLine(cells: readonly Cell[], { maskFormulas = true }: LineOptions = {}): string {
  return `${cells.map((cell) => toCell(cell, maskFormulas)).join(',')}\r\n`;
}

function toCell(cell: Cell, maskFormulas: boolean): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.digits;
  const text = maskFormulas ? maskFormula(cell) : cell;
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * First characters of formulas in spreadsheets, with full-width forms.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
/** Spreadsheets can also drop these at the start of a cell, and evaluate the rest. */
const START_BREAK = String.raw`[\t\r\n]`;
/**
 * The position before a sign with which a cell begins, after apostrophes. A reader with another separator also begins a
 * cell after each `;`, tab and line break, and can drop blanks, quotes and invisible characters there. The sign comes
 * first in the pattern, so that the time is linear: the rest is read backwards, at most to the sign before.
 */
const CELL_START = String.raw`(?:(?=${SIGN})(?<=(?:^|[;\t\r\n])["\s\p{Cc}\p{Cf}]*'*)|(?=${START_BREAK})(?<=^'*))`;

const TO_MASK = new RegExp(CELL_START, 'gu');
const MASKED = new RegExp(`'${CELL_START}`, 'gu');
const UNMASKED = new RegExp(`(?<!')${CELL_START}`, 'u');
const MASKED_AT_START = new RegExp(`^'+(?:${SIGN}|${START_BREAK})`, 'u');

/**
 * Adds an apostrophe before each sign that begins a formula: at the start of the cell, and wherever a reader with
 * another separator begins a cell. A sign that already has an apostrophe gets another one, so that `unmaskFormula` can
 * restore every cell.
 */
export function maskFormula(cell: string): string {
  return cell.replace(TO_MASK, "'");
}

/**
 * Restores the cell that `maskFormula` was given. It also removes a masking apostrophe that a person typed. Earlier
 * releases masked only the start of a cell: if a sign has no apostrophe, those after the start are kept.
 */
export function unmaskFormula(cell: string): string {
  return UNMASKED.test(cell) ? unmaskStart(cell) : cell.replace(MASKED, '');
}

/** Restores a cell of a tool that masks only signs at the start of a cell. */
export function unmaskStart(cell: string): string {
  return MASKED_AT_START.test(cell) ? cell.slice(1) : cell;
}
