/** A part of a path as a token of a JSON pointer (RFC 6901, section 3), with its slash: `a/b` → `/a~1b`. */
export function toPointerToken(part: string | number): string {
  return `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
