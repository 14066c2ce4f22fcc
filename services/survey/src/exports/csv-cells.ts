/** Parts of a cell with bars between them; a bar in a part is escaped, and a backslash kept from escaping one. */
export function joinBars(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('|', '\\|').replace(/\\$/, '\\ ')).join('|');
}
