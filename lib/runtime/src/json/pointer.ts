/** Names are as long as their sender likes; a path tells enough of one to find it. */
const MAX_NAME_LENGTH = 128;

/** A part of a path as a token of a JSON pointer (RFC 6901, section 3), with its slash: `a/b` → `/a~1b`. Long ones are cut. */
export function toPointerToken(part: string | number): string {
  const name = String(part);
  const shown = name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
  return /[~/]/.test(shown) ? `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${shown}`;
}
