/** What a visitor of a link brings along. */
export interface Visitor {
  readonly password: string | undefined;
  /** Of a single-use link, and of a password that was given before. */
  readonly tokens: readonly string[];
}

/** One of the link and one of its password, and some to spare. */
const MAX_TOKENS = 8;

/** The visitor that the headers `Link-Password` and `Link-Token` tell of; the latter has commas between tokens. */
export function readVisitor(headers: Headers): Visitor {
  const tokens = headers.get('link-token') ?? '';
  return {
    password: headers.get('link-password') ?? undefined,
    tokens: tokens.split(',', MAX_TOKENS).map((token) => token.trim()),
  };
}
