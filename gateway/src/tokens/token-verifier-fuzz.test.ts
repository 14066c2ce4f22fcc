import { testLog } from '@survey/runtime/testing/test-log';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createTestIssuer, encodePart } from '../testing/test-issuer.ts';
import { createTestVerifier, TEST_NOW, times, trust } from '../testing/test-verifier.ts';
import { readKeySet } from './key-set.ts';
import { TokenError } from './token-format.ts';
import { createTokenVerifier } from './token-verifier.ts';

const now = () => TEST_NOW;
const SECONDS = TEST_NOW / 1000;
const issuer = createTestIssuer('key-1', 'ES256', now);
const trusted = trust([issuer.publicJwk]);
const verify = createTestVerifier([trusted]);
const header = { alg: 'ES256', kid: 'key-1', typ: 'JWT' };
const good = { tenant_id: 'tenant-1', sub: 'user-1', iat: SECONDS, exp: SECONDS + 300 };

/** Verifies a token. Returns its rejection or its user; other errors fail the test. */
async function outcomeOf(verified: ReturnType<typeof verify>) {
  try {
    return (await verified).principal;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return 'rejected';
  }
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...BASE64URL, '.') },
  { weight: 1, arbitrary: fc.constantFrom('=', '+', '/', ' ', '\0', '\n', 'é', '%', '"') },
);
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const edit = fc.record({
  at: position,
  kind: fc.constantFrom('replace', 'insert', 'delete', 'cut', 'double'),
  character,
});

function mutate(token: string, edits: readonly { at: number; kind: string; character: string }[]): string {
  return edits.reduce((text, { at, kind, character: char }) => {
    const index = Math.floor(at * text.length);
    const [before, after] = [text.slice(0, index), text.slice(index)];
    if (kind === 'replace') return before + char + after.slice(1);
    if (kind === 'insert') return before + char + after;
    if (kind === 'delete') return before + after.slice(1);
    return kind === 'cut' ? before : before + after + after;
  }, token);
}

/** Members of an attacker: known names with unusual values, and arbitrary ones. */
const members = fc.dictionary(
  fc.oneof(
    fc.constantFrom('alg', 'kid', 'typ', 'crit', 'tenant_id', 'sub', 'exp', 'iat', 'nbf', 'jti', 'iss'),
    fc.string(),
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom('ES256', 'none', 'key-1', 'JWT', SECONDS + 60, -1, 1e308, 2 ** 53)),
  { maxKeys: 4 },
);

const runs = (all: number) => ({ numRuns: inject('testScope') === 'all' ? all : all / 5 });

describe('a token', () => {
  it('is rejected without other effects after any change of its text', async () => {
    const token = await issuer.sign();
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const mutated = mutate(token, edits);
        fc.pre(mutated !== token);
        expect(await outcomeOf(verify(mutated))).toBe('rejected');
      }),
      runs(5_000),
    );
  });

  it('is rejected if its members differ from the signed ones', async () => {
    const [, , signature] = issuer.signRaw(header, good).split('.');
    await fc.assert(
      fc.asyncProperty(members, members, async (inHeader, inPayload) => {
        const parts = [encodePart({ ...header, ...inHeader }), encodePart({ ...good, ...inPayload }), signature];
        const isSame = parts[0] === encodePart(header) && parts[1] === encodePart(good);
        fc.pre(!isSame);
        expect(await outcomeOf(verify(parts.join('.')))).toBe('rejected');
      }),
      runs(2_000),
    );
  });

  it('with a valid signature names exactly its user, or is rejected', async () => {
    let takenTokens = 0;
    await fc.assert(
      fc.asyncProperty(members, async (inPayload) => {
        const payload: Record<string, unknown> = { ...good, ...inPayload };
        const outcome = await outcomeOf(verify(issuer.signRaw(header, payload)));
        if (outcome === 'rejected') return;
        takenTokens += 1;
        expect(outcome).toEqual({ tenantId: payload['tenant_id'], subject: payload['sub'] });
        expect(payload['exp']).toBeGreaterThan(SECONDS);
      }),
      runs(2_000),
    );
    expect(takenTokens).toBeGreaterThan(0);
  });

  it('is rejected as an arbitrary header', async () => {
    const verifier = createTokenVerifier({ issuers: [trusted], times, clock: () => new Date(TEST_NOW) });
    const line = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `Bearer ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 3 }), async (lines) => {
        expect(await outcomeOf(verifier.verify(lines))).toBe('rejected');
        expect(verifier.findCached(lines)).toBeUndefined();
      }),
      runs(1_000),
    );
  });
});

describe('a key set', () => {
  it('with arbitrary members has usable keys or none', async () => {
    const token = await issuer.sign();
    const names = fc.constantFrom('kty', 'crv', 'x', 'y', 'n', 'e', 'd', 'k', 'use', 'key_ops', 'alg', 'ext', 'x5c');
    const jwk = fc.dictionary(
      names,
      fc.oneof(fc.jsonValue(), fc.constantFrom('EC', 'RSA', 'oct', 'P-256', 'ES256', 'AQAB')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(jwk, { maxLength: 3 }), async (odd) => {
        // One object changes the right key, and another is added.
        const keys = odd.map((change, index) => ({
          ...issuer.publicJwk,
          kid: index === 0 ? 'key-1' : `k${index}`,
          ...change,
        }));
        const text = JSON.stringify({ keys: [...keys, { ...issuer.publicJwk, kid: 'spare' }] });
        const keySet = readKeySet(text, ['ES256', 'RS256'], testLog);
        const give = () => Promise.resolve(keySet);
        const changed = { ...trusted, keys: { current: () => keySet, usable: give, reload: give } };
        const outcome = await outcomeOf(createTestVerifier([changed])(token));
        expect(['rejected', 'object']).toContain(outcome === 'rejected' ? outcome : typeof outcome);
      }),
      runs(1_000),
    );
  });
});
