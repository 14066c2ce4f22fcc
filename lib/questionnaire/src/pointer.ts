/** Appends a token to a JSON pointer (RFC 6901) and escapes it: `pointer('/data', 'a/b')` is `/data/a~1b`. */
export function pointer(base: string, token: string): string {
  return `${base}/${/[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token}`;
}
