import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { createTestVerifier, TEST_NOW, trust } from '../testing/test-verifier.ts';

const SECONDS = TEST_NOW / 1000;
const DAY = 86_400;
const issuer = createTestIssuer('key-1', 'ES256', () => TEST_NOW);
const verify = createTestVerifier([trust([issuer.publicJwk])]);

describe('the claims of a token with a valid signature', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no exp', { exp: undefined }, 'claims'],
    ['exp as a string', { exp: String(SECONDS + 300) }, 'claims'],
    ['exp null', { exp: null }, 'claims'],
    ['exp as an array', { exp: [SECONDS + 300] }, 'claims'],
    ['exp negative', { exp: -1 }, 'claims'],
    ['exp a fraction', { exp: SECONDS + 300.5 }, 'claims'],
    ['exp beyond whole numbers', { exp: 2 ** 53 }, 'malformed'],
    ['exp zero', { exp: 0 }, 'expired'],
    ['exp now', { exp: SECONDS }, 'expired'],
    ['exp within the skew of other claims', { exp: SECONDS - 1 }, 'expired'],
    ['exp long ago', { exp: SECONDS - 3600 }, 'expired'],
    ['exp in milliseconds', { exp: TEST_NOW + 300_000 }, 'lifetime'],
    ['exp in a hundred years', { exp: SECONDS + 36_500 * DAY }, 'lifetime'],
    ['exp in a hundred years and no iat', { iat: undefined, exp: SECONDS + 36_500 * DAY }, 'lifetime'],
    ['exp a second beyond the longest lifetime', { exp: SECONDS + 30 * DAY + 1 }, 'lifetime'],
    ['iat beyond the skew', { iat: SECONDS + 31 }, 'not_yet_valid'],
    ['iat as a string', { iat: 'now' }, 'claims'],
    ['iat null', { iat: null }, 'claims'],
    ['iat negative', { iat: -1 }, 'claims'],
    ['iat a fraction', { iat: SECONDS + 0.5 }, 'claims'],
    ['iat long ago, and so a long lifetime', { iat: 0 }, 'lifetime'],
    ['nbf beyond the skew', { nbf: SECONDS + 31 }, 'not_yet_valid'],
    ['nbf as a string', { nbf: '0' }, 'claims'],
    ['nbf null', { nbf: null }, 'claims'],
    ['nbf negative', { nbf: -1 }, 'claims'],
    ['nbf a fraction', { nbf: 0.5 }, 'claims'],
    ['no tenant', { tenant_id: undefined }, 'claims'],
    ['an empty tenant', { tenant_id: '' }, 'claims'],
    ['several tenants', { tenant_id: ['a', 'b'] }, 'claims'],
    ['a tenant that is a number', { tenant_id: 1 }, 'claims'],
    ['a tenant that is an operator of a query', { tenant_id: { $ne: null } }, 'claims'],
    ['a tenant with a line break', { tenant_id: 'a\r\nb' }, 'claims'],
    ['a tenant with a space', { tenant_id: 'a b' }, 'claims'],
    ['a tenant that is very long', { tenant_id: 't'.repeat(129) }, 'claims'],
    ['no subject', { sub: undefined }, 'claims'],
    ['an empty subject', { sub: '' }, 'claims'],
    ['a subject that is a number', { sub: 1 }, 'claims'],
    ['a subject with a control character', { sub: 'a\0b' }, 'claims'],
    ['a subject with half a character', { sub: 'a\ud800' }, 'claims'],
    ['a subject that is very long', { sub: 's'.repeat(256) }, 'claims'],
    ['an id that is a number', { jti: 1 }, 'claims'],
    ['an empty id', { jti: '' }, 'claims'],
    ['an id with half a character', { jti: 'a\udc00' }, 'claims'],
    ['an id that is very long', { jti: 'j'.repeat(256) }, 'claims'],
  ])('are rejected: %s', async (_case, claims, rejection) => {
    await expect(verify(await issuer.sign(claims))).rejects.toMatchObject({ rejection });
  });

  it.each(['exp', 'iat', 'nbf'])('are rejected: %s 1e999', async (name) => {
    const token = issuer.signRaw({ alg: 'ES256', kid: 'key-1' }, `{"tenant_id":"a","sub":"c","${name}":1e999}`);
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'malformed' });
  });

  it('are valid until a second before exp, and for the maximum lifetime', async () => {
    await verify(await issuer.sign({ exp: SECONDS + 1 }));
    await verify(await issuer.sign({ exp: SECONDS + 30 * DAY }));
  });
});

describe('with another clock skew', () => {
  const exact = createTestVerifier([trust([issuer.publicJwk])], { clockSkewSeconds: 0 });

  it('the clock may be ahead by that much', async () => {
    await exact(await issuer.sign({ iat: SECONDS, nbf: SECONDS }));
    await expect(exact(await issuer.sign({ iat: SECONDS + 1 }))).rejects.toMatchObject({ rejection: 'not_yet_valid' });
    await expect(exact(await issuer.sign({ nbf: SECONDS + 1 }))).rejects.toMatchObject({ rejection: 'not_yet_valid' });
  });
});

describe('if exp is not required', () => {
  const lenient = createTestVerifier([trust([issuer.publicJwk])], { isExpiryRequired: false });

  it('a token without exp expires after the maximum lifetime since iat', async () => {
    const iat = SECONDS - 10 * DAY;
    const { expiresAt } = await lenient(await issuer.sign({ iat, exp: undefined }));
    expect(expiresAt).toBe((iat + 30 * DAY) * 1000);
    const old = issuer.sign({ iat: SECONDS - 30 * DAY, exp: undefined });
    await expect(lenient(await old)).rejects.toMatchObject({ rejection: 'expired' });
  });

  it('a token without exp and iat is rejected: it would never expire', async () => {
    const token = issuer.sign({ iat: undefined, exp: undefined });
    await expect(lenient(await token)).rejects.toMatchObject({ rejection: 'claims' });
  });

  it('a token with exp still expires', async () => {
    await expect(lenient(await issuer.sign({ exp: SECONDS }))).rejects.toMatchObject({ rejection: 'expired' });
  });
});

describe('with a configured audience', () => {
  const named = createTestVerifier([trust([issuer.publicJwk], { audience: 'surveys' })]);

  it.each<[string, unknown]>([
    ['alone', 'surveys'],
    ['among others', ['billing', 'surveys']],
  ])('a token that names it %s is accepted', async (_case, aud) => {
    expect(await named(await issuer.sign({ aud }))).toMatchObject({ principal: { subject: 'user-1' } });
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['another', 'billing'],
    ['one of another case', 'Surveys'],
    ['one with more behind', 'surveys/'],
    ['several others', ['billing', 'Surveys']],
    ['an empty list', []],
    ['an object', { surveys: true }],
    ['a list in a list', [['surveys']]],
    ['a list that is not of texts', ['surveys', 1]],
  ])('a token that names %s is rejected', async (_case, aud) => {
    await expect(named(await issuer.sign({ aud }))).rejects.toMatchObject({ rejection: 'audience' });
  });
});
