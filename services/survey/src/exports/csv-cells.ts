/**
 * Joins parts with `|`. Bars in parts are escaped: `\|`. A backslash at the end of a part gets a space, so that it does not
 * escape the next bar.
 */
export function joinBars(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('|', '\\|').replace(/\\$/, '\\ ')).join('|');
}
