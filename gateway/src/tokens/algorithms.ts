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

/** Whether the type of a JWK fits an algorithm. */
export function fitsAlgorithm({ kty, crv }: { readonly kty?: unknown; readonly crv?: unknown }, name: string): boolean {
  const [wantedType, wantedCurve] = keyKinds[name] ?? [];
  return kty === wantedType && (wantedCurve === undefined || crv === wantedCurve);
}
