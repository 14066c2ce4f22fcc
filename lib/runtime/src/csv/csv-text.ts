import { maskFormula } from './formula.ts';

/** Begins a CSV file. Without it, spreadsheets do not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/** Numbers are written without masking: no spreadsheet evaluates them as formulas. */
export type Cell = string | number;

/** Rows as a CSV file (RFC 4180). Texts that could be formulas are masked: see `maskFormula`. */
export function toCsvText(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toCsvLine).join('');
}

/** One row of a CSV file, with its line break. */
export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: Cell): string {
  if (typeof text === 'number') return String(text);
  const masked = maskFormula(text);
  return TO_QUOTE.test(masked) ? `"${masked.replaceAll('"', '""')}"` : masked;
}
