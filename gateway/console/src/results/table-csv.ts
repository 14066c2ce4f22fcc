import type { Cell, ChartTable } from './chart.ts';

/** Tells spreadsheets that the text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Characters at the beginning of a text that spreadsheets interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Writes a table as CSV (RFC 4180), with a byte order mark. A text that looks like a formula gets an apostrophe before
 * it.
 */
export function toCsv({ columns, rows }: ChartTable): string {
  const lines = [columns.map(({ header }) => header), ...rows];
  return BYTE_ORDER_MARK + lines.map(toCsvLine).join('');
}

export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: Cell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
