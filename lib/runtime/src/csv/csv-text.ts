import { maskFormula } from './formula.ts';

/** The beginning of a CSV file; without it spreadsheets take UTF-8 for something else. */
export const BYTE_ORDER_MARK = '\uFEFF';
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/** A number is written as it is: no spreadsheet takes it for a formula. */
export type Cell = string | number;

/** Rows as a CSV file (RFC 4180) in which no text is a formula: see `maskFormula`. */
export function toCsvText(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toCsvLine).join('');
}

/** One row of such a file, with its line break. */
export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: Cell): string {
  if (typeof text === 'number') return String(text);
  const masked = maskFormula(text);
  return TO_QUOTE.test(masked) ? `"${masked.replaceAll('"', '""')}"` : masked;
}
