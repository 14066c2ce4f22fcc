import { maskFormula } from './formula.ts';

/** Begins a CSV file. Without it, spreadsheets do not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/**
 * A text, a number, or the digits of a number. Numbers and digits are not masked, because no spreadsheet evaluates them
 * as formulas.
 */
export type Cell = string | number | Digits;

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
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.digits;
  const text = maskFormulas ? maskFormula(cell) : cell;
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
