/** Appends a token from outside to a JSON pointer (RFC 6901): `pointer('/data', 'a/b')` is `/data/a~1b`. */
export const pointer = (base: string, token: string): string =>
  `${base}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
