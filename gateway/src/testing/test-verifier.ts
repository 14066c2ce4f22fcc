import { testLog } from '@survey/runtime/testing/test-log';
import type { JWK } from 'jose';
import { readKeySet } from '../tokens/key-set.ts';
import type { TimeRules } from '../tokens/token-claims.ts';
import { createTokenVerifier } from '../tokens/token-verifier.ts';
import type { TrustedIssuer } from '../tokens/trusted-issuers.ts';

/** The current time in token tests, in milliseconds. */
export const TEST_NOW = Date.UTC(2026, 0, 1);

export const times: TimeRules = { maxLifetimeSeconds: 30 * 86_400, clockSkewSeconds: 30, isExpiryRequired: true };

/** A trusted issuer with fixed keys. */
export function trust(jwks: readonly JWK[], change: Partial<TrustedIssuer> = {}): TrustedIssuer {
  const defaults = { name: undefined, audience: undefined, type: undefined, tenants: undefined };
  const issuer = { ...defaults, algorithms: ['ES256', 'RS256', 'EdDSA'], ...change };
  const keySet = readKeySet(JSON.stringify({ keys: jwks }), issuer.algorithms, testLog);
  const loadKeySet = () => Promise.resolve(keySet);
  return { keys: { current: () => keySet, usable: loadKeySet, reload: loadKeySet }, ...issuer };
}

export function createTestVerifier(issuers: readonly TrustedIssuer[], rules: Partial<TimeRules> = {}) {
  const verifier = createTokenVerifier({ issuers, times: { ...times, ...rules }, clock: () => new Date(TEST_NOW) });
  return (token: string) => verifier.verify([`Bearer ${token}`]);
}
