import { toClient } from '@survey/runtime/limits/client';

/** A visitor of a link, with what they bring along. */
export interface Visitor {
  /** What tells them from others. */
  readonly client: string;
  readonly password: string | undefined;
  /** Of a single-use link, and of a password that was given before. */
  readonly tokens: readonly string[];
}

/** One of the link and one of its password, and some to spare. */
const MAX_TOKENS = 8;

/**
 * The visitor that the headers `Link-Password` and `Link-Token` tell of; the latter has commas between tokens.
 *
 * @param address where they come from
 */
export function readVisitor(headers: Headers, address: string): Visitor {
  const tokens = headers.get('link-token') ?? '';
  return {
    client: toClient(address),
    password: headers.get('link-password') ?? undefined,
    tokens: tokens
      .split(',', MAX_TOKENS)
      .map((token) => token.trim())
      .filter((token) => token !== ''),
  };
}
