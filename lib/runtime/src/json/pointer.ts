/** Names come from clients, and can be very long. Their beginning is enough to find them. */
const MAX_NAME_LENGTH = 128;

/**
 * Escapes a name as a token of a JSON pointer (RFC 6901, section 3) with its slash: `/a~1b` for `a/b`. Cuts long names.
 */
export function toPointerToken(part: string | number): string {
  const name = String(part);
  const shown = name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
  return /[~/]/.test(shown) ? `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${shown}`;
}
