/**
 * Joins parts with `|`. Bars in parts are escaped: `\|`. A part that ends with a backslash gets a space at its end, so
 * that the backslash does not escape the next bar.
 */
export function joinBars(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('|', '\\|').replace(/\\$/, '\\ ')).join('|');
}
