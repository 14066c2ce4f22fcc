/** Joins parts with `|`. Bars and backslashes in parts are escaped. */
export function joinBars(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('|', '\\|').replace(/\\$/, '\\ ')).join('|');
}
