import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { type JWK, type JWTPayload, SignJWT } from 'jose';

/** A fake identity provider. */
export interface TestIssuer {
  readonly publicJwk: JWK;
  readonly privateKey: KeyObject;
  /** Signs a valid token with these changes. `undefined` omits a claim. */
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signs a header and a payload with the key of the issuer. Values other than texts are signed as JSON. */
  signRaw(header: unknown, payload: unknown): string;
}

type Algorithm = 'ES256' | 'RS256' | 'EdDSA';

export function createTestIssuer(kid = 'key-1', alg: Algorithm = 'ES256', now = Date.now): TestIssuer {
  const { publicKey, privateKey } = generateKeys(alg);
  return {
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
    privateKey,
    sign(claims = {}, header = {}) {
      const seconds = Math.floor(now() / 1000);
      const payload = { tenant_id: 'tenant-1', sub: 'user-1', iat: seconds, exp: seconds + 300, ...claims };
      // The cast allows invalid claims, which many tests need.
      return new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(privateKey);
    },
    signRaw(header, payload) {
      const input = `${encodePart(header)}.${encodePart(payload)}`;
      const options = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
      const signature = signBytes(alg === 'EdDSA' ? null : 'sha256', Buffer.from(input), options);
      return `${input}.${signature.toString('base64url')}`;
    },
  };
}

export function encodePart(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function generateKeys(alg: Algorithm) {
  if (alg === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
