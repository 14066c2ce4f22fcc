/**
 * Appends tokens to a JSON pointer (RFC 6901).
 *
 * `pointer('/survey', 'pages', 0)` is `/survey/pages/0`; `~` and `/` in a token are escaped.
 */
export const pointer = (base: string, ...tokens: readonly (string | number)[]): string =>
  tokens.reduce<string>((path, token) => `${path}/${escapeToken(token)}`, base);

const escapeToken = (token: string | number): string => String(token).replaceAll('~', '~0').replaceAll('/', '~1');
