/**
 * Shortens a text to at most `maxLength` characters (UTF-16 code units, at least 1). A shortened text ends with an
 * ellipsis.
 */
export function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
