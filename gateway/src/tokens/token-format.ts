import { parseJsonObject } from './json-object.ts';
import { TokenError } from './token-error.ts';

const MAX_LENGTH = 8 * 1024;
const BEARER = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i;
const KEY_ID = /^[\w.-]{1,128}$/;
/** Header members that name keys, or change how the rest is read. */
const REFUSED_MEMBERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'zip', 'b64', 'cty'];
/** Other types (logout tokens, security events, …) are no proof of who calls: RFC 8725, section 3.11. */
const TYPES = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'];

/**
 * The token of an `Authorization` header (as all its lines), when it has the one form that is accepted: what jose
 * would tolerate is refused before anything is decoded with a key. Throws `TokenError`.
 */
export function readToken(authorization: readonly string[] | undefined, algorithms: ReadonlySet<string>): string {
  const [line, ...more] = authorization ?? [];
  if (line === undefined) throw new TokenError('missing');
  if (more.length > 0) throw new TokenError('repeated');
  if (line.length > MAX_LENGTH) throw new TokenError('too_long');
  const [, header = '', payload = '', signature = ''] = BEARER.exec(line) ?? [];
  if (header === '') throw new TokenError('malformed');
  checkHeader(decodeObject(header), algorithms);
  decodeObject(payload);
  decode(signature);
  return `${header}.${payload}.${signature}`;
}

function checkHeader(header: Readonly<Record<string, unknown>>, algorithms: ReadonlySet<string>): void {
  const { alg, kid, typ } = header;
  if (REFUSED_MEMBERS.some((name) => Object.hasOwn(header, name))) throw new TokenError('header');
  if (typeof alg !== 'string' || !algorithms.has(alg)) throw new TokenError('algorithm');
  if (typeof kid !== 'string' || !KEY_ID.test(kid)) throw new TokenError('key_id');
  if (typ !== undefined && (typeof typ !== 'string' || !TYPES.includes(typ.toLowerCase())))
    throw new TokenError('type');
}

function decodeObject(part: string): Readonly<Record<string, unknown>> {
  const object = parseJsonObject(decode(part));
  if (object === 'malformed') throw new TokenError('malformed');
  if (object === 'duplicate') throw new TokenError('duplicate_member');
  return object;
}

/** Only the one spelling of the bytes: spare bits of the last character have to be zero (RFC 4648, section 3.5). */
function decode(part: string): Uint8Array {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new TokenError('malformed');
  return bytes;
}
