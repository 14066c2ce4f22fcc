/** What stands between bars; `\|` is a bar that separates nothing. */
export function splitBars(cell: string): string[] {
  return cell.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|').trim());
}
