import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { createTestVerifier, TEST_NOW, times, trust } from '../testing/test-verifier.ts';
import { createTokenVerifier } from './token-verifier.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

const SECONDS = TEST_NOW / 1000;
const clock = () => new Date(TEST_NOW);
const issuer = createTestIssuer('key-1', 'ES256', () => TEST_NOW);
const rsa = createTestIssuer('key-2', 'RS256', () => TEST_NOW);
const ed = createTestIssuer('key-3', 'EdDSA', () => TEST_NOW);
const trusted = trust([issuer.publicJwk, rsa.publicJwk, ed.publicJwk]);
const verify = createTestVerifier([trusted]);

describe('a valid token', () => {
  it.each([
    ['as it should be', () => issuer.sign()],
    ['by RSA', () => rsa.sign()],
    ['by Ed25519', () => ed.sign()],
    ['without typ', () => issuer.sign({}, { typ: undefined })],
    ['with the type of access tokens', () => issuer.sign({}, { typ: 'at+jwt' })],
    ['with its type in full, in capitals', () => issuer.sign({}, { typ: 'application/AT+JWT' })],
    ['without iat', () => issuer.sign({ iat: undefined })],
    ['issued by a clock that is a little ahead', () => issuer.sign({ iat: SECONDS + 30, nbf: SECONDS + 30 })],
    ['with claims that nobody asked for', () => issuer.sign({ aud: 'billing', iss: 'x', roles: ['king'], n: [{}] })],
  ])('%s authenticates the caller', async (_case, make) => {
    expect(await verify(await make())).toMatchObject({ principal: { tenantId: 'tenant-1', subject: 'user-1' } });
  });

  it('has its id', async () => {
    expect(await verify(await issuer.sign({ jti: 'j1' }))).toMatchObject({ tokenId: 'j1' });
    expect(await verify(await issuer.sign())).toMatchObject({ tokenId: undefined });
  });
});

describe('with a configured type', () => {
  const typed = createTestVerifier([trust([issuer.publicJwk], { type: 'at+jwt' })]);

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('a token of the type %s is accepted', async (typ) => {
    expect(await typed(await issuer.sign({}, { typ }))).toMatchObject({ principal: { subject: 'user-1' } });
  });

  it.each(['JWT', undefined, 'at+jwt;v=1', 'application/application/at+jwt'])(
    'one of the type %s is rejected',
    async (typ) => {
      await expect(typed(await issuer.sign({}, { typ }))).rejects.toMatchObject({ rejection: 'type' });
    },
  );
});

describe('an Authorization header', () => {
  const verifier = createTokenVerifier({ issuers: [trusted], times, clock });

  it('is accepted with the scheme in lower case', async () => {
    const token = await issuer.sign();
    expect(await verifier.verify([`bearer ${token}`])).toMatchObject({ principal: { subject: 'user-1' } });
  });

  it.each<[string, (token: string) => string[] | undefined, string]>([
    ['absent', () => undefined, 'missing'],
    ['without lines', () => [], 'missing'],
    ['empty', () => [''], 'scheme'],
    ['repeated', (token) => [`Bearer ${token}`, `Bearer ${token}`], 'repeated'],
    ['repeated, the second empty', (token) => [`Bearer ${token}`, ''], 'repeated'],
    ['of another scheme', (token) => [`Basic ${token}`], 'scheme'],
    ['without a scheme', (token) => [token], 'scheme'],
    ['with two spaces', (token) => [`Bearer  ${token}`], 'malformed'],
    ['with a tab', (token) => [`Bearer\t${token}`], 'scheme'],
    ['with two tokens', (token) => [`Bearer ${token}, Bearer ${token}`], 'malformed'],
    ['with something behind', (token) => [`Bearer ${token} x`], 'malformed'],
    ['that is very long', (token) => [`Bearer ${token}${'A'.repeat(8_192)}`], 'too_long'],
  ])('is rejected: %s', async (_case, make, rejection) => {
    await expect(verifier.verify(make(await issuer.sign()))).rejects.toMatchObject({ rejection });
  });
});

/** A verifier whose clock and keys the test controls. */
function setUp() {
  let time = TEST_NOW;
  let clockError = 0;
  let lookups = 0;
  let { keys } = trust([issuer.publicJwk]);
  const changing: TrustedIssuer = {
    ...trusted,
    keys: {
      current: () => keys.current(),
      usable: () => {
        lookups += 1;
        return keys.usable();
      },
      reload: () => keys.reload(),
    },
  };
  const verifier = createTokenVerifier({
    issuers: [changing],
    times,
    clock: () => new Date(time + clockError),
    now: () => time,
  });
  return {
    verify: (token: string) => verifier.verify([`Bearer ${token}`]),
    recall: (token: string) => verifier.findCached([`Bearer ${token}`]),
    lookups: () => lookups,
    pass: (ms: number) => {
      time += ms;
    },
    setClockBack: (ms: number) => {
      clockError -= ms;
    },
    publish: (...issuers: (typeof issuer)[]) => {
      keys = trust(issuers.map(({ publicJwk }) => publicJwk)).keys;
    },
  };
}

describe('a verified token', () => {
  it('is not verified again for a minute', async () => {
    const { verify, lookups, pass } = setUp();
    const token = await issuer.sign();
    await verify(token);
    pass(59_999);
    await verify(token);
    expect(lookups()).toBe(1);
    pass(1);
    await verify(token);
    expect(lookups()).toBe(2);
  });

  it('is verified again after a minute, even if the clock was set back', async () => {
    const { verify, lookups, pass, setClockBack } = setUp();
    const token = await issuer.sign({ iat: undefined });
    await verify(token);
    setClockBack(3_600_000);
    pass(60_000);
    await verify(token);
    expect(lookups()).toBe(2);
  });

  it('is rejected when it expires', async () => {
    const { verify, pass } = setUp();
    const token = await issuer.sign({ exp: SECONDS + 10 });
    await verify(token);
    pass(9_999);
    await verify(token);
    pass(1);
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'expired' });
  });

  it('is rejected as soon as its key is withdrawn', async () => {
    const { verify, publish } = setUp();
    const token = await issuer.sign();
    await verify(token);
    publish(rsa);
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'unknown_key' });
    publish(rsa, issuer);
    await verify(token);
  });

  it('is recalled, unlike other tokens or headers', async () => {
    const { verify, recall } = setUp();
    const [token, other] = [await issuer.sign({ jti: 'j1' }), await issuer.sign({ jti: 'other' })];
    expect(recall(token)).toBeUndefined();
    await verify(token);
    expect(recall(token)).toMatchObject({ principal: { tenantId: 'tenant-1', subject: 'user-1' }, tokenId: 'j1' });
    expect([recall(other), recall(`${token}A`), recall('')]).toEqual([undefined, undefined, undefined]);
    const verifier = createTokenVerifier({ issuers: [trusted], times, clock });
    await verifier.verify([`Bearer ${token}`]);
    expect(verifier.findCached([`bearer ${token}`])).toBeDefined();
    for (const lines of [undefined, [], [token, token]]) expect(verifier.findCached(lines)).toBeUndefined();
  });

  it('is recalled until it expires, however long it was not used', async () => {
    const { verify, recall, pass } = setUp();
    const token = await issuer.sign({ exp: SECONDS + 3_000 });
    await verify(token);
    pass(2_999_999);
    expect(recall(token)).toBeDefined();
    pass(1);
    expect(recall(token)).toBeUndefined();
  });

  it('is recalled after its keys change, until it is rejected', async () => {
    const { verify, recall, publish } = setUp();
    const token = await issuer.sign();
    await verify(token);
    publish(rsa);
    expect(recall(token)).toBeDefined();
    await expect(verify(token)).rejects.toMatchObject({ rejection: 'unknown_key' });
    expect(recall(token)).toBeUndefined();
  });

  it('is evicted when the cache is full', async () => {
    const verifier = createTokenVerifier({ issuers: [trusted], times, clock, maxCached: 2 });
    const tokens = [await issuer.sign({ jti: '1' }), await issuer.sign({ jti: '2' }), await issuer.sign({ jti: '3' })];
    for (const token of tokens) await verifier.verify([`Bearer ${token}`]);
    expect(tokens.map((token) => verifier.findCached([`Bearer ${token}`]) !== undefined)).toEqual([false, true, true]);
  });
});
