import { maskFormula } from './formula.ts';

/** Without it spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\uFEFF';
const TO_QUOTE = /[",\r\n]|^\s|\s$/;

/** Rows as a CSV file (RFC 4180) in which no cell is a formula: see `maskFormula`. */
export function toCsvText(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

function toCell(text: string): string {
  const masked = maskFormula(text);
  return TO_QUOTE.test(masked) ? `"${masked.replaceAll('"', '""')}"` : masked;
}
