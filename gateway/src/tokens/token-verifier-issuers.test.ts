import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { createTestVerifier, TEST_NOW, trust } from '../testing/test-verifier.ts';

const now = () => TEST_NOW;
const [A, B] = ['https://a.example', 'https://b.example'];
/** Both issuers use the same key id. */
const a = createTestIssuer('key-1', 'ES256', now);
const b = createTestIssuer('key-1', 'RS256', now);
const onlyA = createTestIssuer('only-a', 'ES256', now);
const verify = createTestVerifier([
  trust([a.publicJwk, onlyA.publicJwk], { name: A, algorithms: ['ES256'], audience: 'surveys' }),
  trust([b.publicJwk], { name: B, algorithms: ['RS256', 'ES256'], type: 'at+jwt', tenants: new Set(['tenant-b']) }),
]);
const byA = (claims = {}) => a.sign({ iss: A, aud: 'surveys', ...claims });
const byB = (claims = {}) => b.sign({ iss: B, tenant_id: 'tenant-b', ...claims }, { typ: 'at+jwt' });

describe('with several issuers', () => {
  it('tokens of each are accepted by the rules of their issuer', async () => {
    expect(await verify(await byA())).toMatchObject({ principal: { tenantId: 'tenant-1' } });
    expect(await verify(await byB())).toMatchObject({ principal: { tenantId: 'tenant-b' } });
  });

  it.each<[string, () => Promise<string>, string]>([
    ['of one that claims to be the other', () => b.sign({ iss: A, aud: 'surveys' }), 'algorithm'],
    [
      'of one that claims to be the other, by its algorithm',
      () => a.sign({ iss: B, tenant_id: 'tenant-b' }, { typ: 'at+jwt' }),
      'unknown_key',
    ],
    [
      'by a key that only the other has',
      () => onlyA.sign({ iss: B, tenant_id: 'tenant-b' }, { typ: 'at+jwt' }),
      'unknown_key',
    ],
    ['by an algorithm that only the other has', () => b.sign({ iss: A, aud: 'surveys' }), 'algorithm'],
    ['without the audience of its issuer', () => byA({ aud: undefined }), 'audience'],
    ['without the type of its issuer', () => b.sign({ iss: B, tenant_id: 'tenant-b' }), 'type'],
    ['for a tenant for which its issuer does not speak', () => byB({ tenant_id: 'tenant-1' }), 'tenant'],
  ])('a token %s is rejected', async (_case, make, rejection) => {
    await expect(verify(await make())).rejects.toMatchObject({ rejection });
  });

  it.each<[string, unknown]>([
    ['absent', undefined],
    ['nobody', 'https://c.example'],
    ['with a slash more', `${A}/`],
    ['in capitals', A.toUpperCase()],
    ['with a space', ` ${A}`],
    ['in another form of the address', 'https://a.example:443'],
    ['as a list', [A]],
    ['as an object', { iss: A }],
    ['null', null],
    ['empty', ''],
    ['undefined as a word', 'undefined'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('a token is rejected if its issuer is %s', async (_case, iss) => {
    await expect(verify(await byA({ iss }))).rejects.toMatchObject({ rejection: 'issuer' });
  });
});

describe('with one issuer', () => {
  it('without a name, iss is not checked', async () => {
    const any = createTestVerifier([trust([a.publicJwk])]);
    for (const iss of [undefined, B, 1]) expect(await any(await a.sign({ iss }))).toMatchObject({ tokenId: undefined });
  });

  it('with a name, iss must match it', async () => {
    const one = createTestVerifier([trust([a.publicJwk], { name: A })]);
    await one(await a.sign({ iss: A }));
    await expect(one(await a.sign({ iss: B }))).rejects.toMatchObject({ rejection: 'issuer' });
    await expect(one(await a.sign())).rejects.toMatchObject({ rejection: 'issuer' });
  });
});
