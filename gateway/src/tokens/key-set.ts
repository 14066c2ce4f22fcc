import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isObject } from '@survey/runtime/json/is-object';
import { parseObject } from '@survey/runtime/json/parse-json';
import type { Logger } from 'pino';

/** A snapshot of the public keys of an issuer. */
export interface KeySet {
  /** Finds the usable key with this id for this algorithm. */
  find(algorithm: string, keyId: string): KeyObject | undefined;
  /** Whether no key is usable. */
  readonly isEmpty: boolean;
}

const MAX_KEYS = 100;
const MIN_RSA_BITS = 2_048;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];

/**
 * Reads the signing keys of a JWKS (RFC 7517). Unsafe keys, such as published private keys, are logged and dropped.
 * Each key is for one algorithm (RFC 8725, section 3.1): its `alg`, or the first of `acceptedAlgorithms` that fits.
 * Throws if there is no signing key, safe or unsafe.
 */
export function readKeySet(text: string, acceptedAlgorithms: readonly string[], log: Logger): KeySet {
  const keys = new Map<string, KeyObject | undefined>();
  for (const jwk of parseKeys(text)) {
    const algorithm = isForSignatures(jwk) ? algorithmOf(jwk, acceptedAlgorithms) : undefined;
    if (algorithm === undefined || typeof jwk['kid'] !== 'string') continue;
    const id = toId(algorithm, jwk['kid']);
    try {
      if (keys.has(id)) throw new Error('several keys have this id');
      keys.set(id, toPublicKey(jwk));
    } catch (error) {
      keys.set(id, undefined);
      log.error({ err: error, key_id: jwk['kid'] }, 'rejected a signing key of a token issuer');
    }
  }
  if (keys.size === 0) throw new Error('the JWKS has no key for signatures');
  return {
    find: (algorithm, keyId) => keys.get(toId(algorithm, keyId)),
    isEmpty: [...keys.values()].every((key) => key === undefined),
  };
}

function parseKeys(text: string): readonly JsonWebKey[] {
  const keys: unknown = parseObject(text)?.['keys'];
  if (!Array.isArray(keys)) throw new Error('the text is not a JWKS');
  if (keys.length > MAX_KEYS) throw new Error(`the JWKS has over ${MAX_KEYS} keys`);
  return keys.filter(isObject);
}

function isForSignatures({ use, key_ops: operations }: JsonWebKey): boolean {
  const isForVerifying = operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
  return isForVerifying && (use === undefined || use === 'sig');
}

function algorithmOf(jwk: JsonWebKey, acceptedAlgorithms: readonly string[]): string | undefined {
  return acceptedAlgorithms.find(
    (name) => fitsAlgorithm(jwk, name) && (jwk['alg'] === undefined || jwk['alg'] === name),
  );
}

function toPublicKey(jwk: JsonWebKey): KeyObject {
  // Anybody who can read the JWKS could sign tokens with this key.
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) throw new Error('the key includes its private part');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const { modulusLength = MIN_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS) throw new Error(`the key has ${modulusLength} bits`);
  return key;
}

function toId(algorithm: string, keyId: string): string {
  return `${algorithm} ${keyId}`;
}

/** The key type of each signature algorithm: `kty` and `crv` of a JWK. */
const keyKinds: Readonly<Record<string, readonly [kty: string, crv?: string]>> = {
  ES256: ['EC', 'P-256'],
  ES384: ['EC', 'P-384'],
  ES512: ['EC', 'P-521'],
  RS256: ['RSA'],
  RS384: ['RSA'],
  RS512: ['RSA'],
  PS256: ['RSA'],
  PS384: ['RSA'],
  PS512: ['RSA'],
  EdDSA: ['OKP', 'Ed25519'],
  Ed25519: ['OKP', 'Ed25519'],
};

/** Supported signature algorithms (RFC 7518, RFC 8037). None uses a shared secret. */
export const algorithms: readonly string[] = Object.keys(keyKinds);

function fitsAlgorithm({ kty, crv }: { readonly kty?: unknown; readonly crv?: unknown }, name: string): boolean {
  const [wantedType, wantedCurve] = keyKinds[name] ?? [];
  return kty === wantedType && (wantedCurve === undefined || crv === wantedCurve);
}
