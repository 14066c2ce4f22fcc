import { AppError } from '@survey/runtime/errors/app-error';
import { isObject } from '@survey/runtime/json/is-object';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';

/** Reasons to reject a token or API key, for the log and a metric. Callers get less detail. */
export const rejectionReasons = [
  'missing',
  'scheme',
  'repeated',
  'too_long',
  'malformed',
  'duplicate_member',
  'header',
  'algorithm',
  'key_id',
  'type',
  'issuer',
  'unknown_key',
  'signature',
  'expired',
  'not_yet_valid',
  'lifetime',
  'audience',
  'tenant',
  'claims',
  'revoked',
  'unknown_subject',
  'unknown_api_key',
] as const;

type Rejection = (typeof rejectionReasons)[number];

export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly rejection: Rejection;

  constructor(rejection: Rejection, options?: ErrorOptions) {
    super(`the token is rejected: ${rejection}`, options);
    this.rejection = rejection;
  }
}

/** Returns the error for the caller. `expired` appears only if the signature, or the hash of the key, was right. */
export function toAuthenticationError(rejection: Rejection): AppError {
  switch (rejection) {
    case 'missing':
      return new AppError('INVALID_TOKEN', { detail: 'The header Authorization is missing', hasToken: false });
    case 'scheme':
      return new AppError('INVALID_TOKEN', {
        detail: 'Authorization must be Bearer, a space and the token',
        hasToken: false,
      });
    case 'expired':
      return new AppError('INVALID_TOKEN', { detail: 'The token has expired' });
    default:
      return new AppError('INVALID_TOKEN');
  }
}

const MAX_LENGTH = 8 * 1024;
/** The start of an `Authorization` header with a token or an API key. */
export const BEARER_SCHEME = /^Bearer /i;
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;
const KEY_ID = /^[\w.-]{1,128}$/;
/** Header members that name keys or change how the token is parsed. */
const REJECTED_MEMBERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'zip', 'b64', 'cty'];
/** Accepted types. Other tokens, such as logout tokens, do not authenticate (RFC 8725, section 3.11). */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt'];

export type JsonObject = Readonly<Record<string, unknown>>;

/** The content of a token before verification. */
export interface ParsedToken {
  readonly algorithm: string;
  readonly keyId: string;
  /** Media type of the token, in lower case and without `application/`. */
  readonly type: string | undefined;
  readonly claims: JsonObject;
}

/** Extracts the token from the lines of the `Authorization` header. Throws `TokenError`. */
export function readBearerToken([line, ...more]: readonly string[] = []): string {
  if (line === undefined) throw new TokenError('missing');
  if (more.length > 0) throw new TokenError('repeated');
  if (!BEARER_SCHEME.test(line)) throw new TokenError('scheme');
  if (line.length > MAX_LENGTH) throw new TokenError('too_long');
  const token = BEARER.exec(line)?.[1];
  if (token === undefined) throw new TokenError('malformed');
  return token;
}

/** Parses a token without verifying it. Throws `TokenError`. Stricter than jose. */
export function parseToken(token: string): ParsedToken {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { alg, kid, typ, ...others } = decodeObject(header);
  if (REJECTED_MEMBERS.some((name) => Object.hasOwn(others, name))) throw new TokenError('header');
  if (typeof alg !== 'string') throw new TokenError('algorithm');
  if (typeof kid !== 'string' || !KEY_ID.test(kid)) throw new TokenError('key_id');
  if (typ !== undefined && typeof typ !== 'string') throw new TokenError('type');
  const claims = decodeObject(payload);
  // Check the encoding of the signature, so that each token has only one text.
  decode(signature);
  return { algorithm: alg, keyId: kid, type: typ === undefined ? undefined : toTypeName(typ), claims };
}

/** Whether tokens of this type authenticate a caller. If `required` is set, only the required type does. */
export function isTypeAccepted(type: string | undefined, required: string | undefined): boolean {
  return required === undefined ? TYPES.includes(type) : type === toTypeName(required);
}

/** Normalizes a media type (RFC 7515, section 4.1.9). */
function toTypeName(type: string): string {
  return type.toLowerCase().replace(/^application\//, '');
}

function decodeObject(part: string): JsonObject {
  const object = parseJsonObject(decode(part));
  if (object === 'malformed') throw new TokenError('malformed');
  if (object === 'duplicate') throw new TokenError('duplicate_member');
  return object;
}

/** Decodes canonical base64url: spare bits of the last character must be zero (RFC 4648, section 3.5). */
function decode(part: string): Uint8Array {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new TokenError('malformed');
  return bytes;
}

/** Parses a JSON object. `duplicate`: a member occurs twice. Parsers disagree about which one counts. */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | 'malformed' | 'duplicate' {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return isObject(value) ? value : 'malformed';
  } catch (error) {
    return error instanceof JsonError && error.problem === 'DUPLICATE_MEMBER' ? 'duplicate' : 'malformed';
  }
}
