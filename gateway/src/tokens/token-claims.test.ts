import { createLocalJWKSet } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { createTokenVerifier } from './token-verifier.ts';

const START = Date.UTC(2026, 0, 1);
const SECONDS = START / 1000;
const DAY = 86_400;
const issuer = createTestIssuer('key-1', 'ES256', () => START);
const verifier = createTokenVerifier({
  keys: { find: createLocalJWKSet({ keys: [issuer.publicJwk] }), ready: () => Promise.resolve() },
  algorithms: ['ES256'],
  maxLifetimeSeconds: 30 * DAY,
  now: () => START,
});

describe('the claims of a token that is well signed', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no exp', { exp: undefined }, 'claims'],
    ['exp as a string', { exp: String(SECONDS + 300) }, 'claims'],
    ['exp null', { exp: null }, 'claims'],
    ['exp negative', { exp: -1 }, 'expired'],
    ['exp a fraction', { exp: SECONDS + 300.5 }, 'claims'],
    ['exp now', { exp: SECONDS }, 'expired'],
    ['exp within the skew of other claims', { exp: SECONDS - 1 }, 'expired'],
    ['exp long ago', { exp: SECONDS - 3600 }, 'expired'],
    ['exp in a hundred years', { exp: SECONDS + 36_500 * DAY }, 'lifetime'],
    ['exp in a hundred years and no iat', { iat: undefined, exp: SECONDS + 36_500 * DAY }, 'lifetime'],
    ['iat in the future', { iat: SECONDS + 60 }, 'not_yet_valid'],
    ['iat as a string', { iat: 'now' }, 'claims'],
    ['nbf in the future', { nbf: SECONDS + 60 }, 'not_yet_valid'],
    ['nbf as a string', { nbf: '0' }, 'claims'],
    ['no tenant', { tenant_id: undefined }, 'claims'],
    ['an empty tenant', { tenant_id: '' }, 'claims'],
    ['several tenants', { tenant_id: ['a', 'b'] }, 'claims'],
    ['a tenant that is a number', { tenant_id: 1 }, 'claims'],
    ['a tenant that is an operator of a query', { tenant_id: { $ne: null } }, 'claims'],
    ['a tenant with a line break', { tenant_id: 'a\r\nb' }, 'claims'],
    ['a tenant that is very long', { tenant_id: 't'.repeat(129) }, 'claims'],
    ['no subject', { sub: undefined }, 'claims'],
    ['an empty subject', { sub: '' }, 'claims'],
    ['a subject that is a number', { sub: 1 }, 'claims'],
    ['a subject with a control character', { sub: 'a\0b' }, 'claims'],
  ])('are refused: %s', async (_case, claims, rejection) => {
    const token = await issuer.sign(claims);
    await expect(verifier.verify([`Bearer ${token}`])).rejects.toMatchObject({ rejection });
  });
});
