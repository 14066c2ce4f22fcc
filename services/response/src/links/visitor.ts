import { toClient } from '@survey/runtime/limits/client';

/** A visitor of a link, with the secrets of the request. */
export interface Visitor {
  /** Identifies the visitor, by network address. */
  readonly client: string;
  readonly password: string | undefined;
  /** Tokens of single-use links, and passes that replace a password. */
  readonly tokens: readonly string[];
}

/** A visitor needs at most two: a token and a pass. */
const MAX_TOKENS = 8;

/**
 * Reads the headers `Link-Password` and `Link-Token` (comma-separated).
 *
 * @param address network address of the visitor
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
