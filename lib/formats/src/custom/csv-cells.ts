/** Splits a cell at bars. `\|` is a literal bar. */
export function splitBars(cell: string): string[] {
  return cell.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|').trim());
}
