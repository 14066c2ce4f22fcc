import { createHash, randomBytes } from 'node:crypto';
import { makeApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import type { Response } from 'express';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { Principal, VerifiedToken } from '../tokens/token-claims.ts';
import { rejectionReasons, TokenError } from '../tokens/token-format.ts';
import { createAuthenticator } from './authenticator.ts';
import type { ApiKeyGrant, UserGrant } from './identity-permissions.ts';
import { createPermissionCache } from './permission-cache.ts';

const NOW = Date.UTC(2026, 0, 1);
const anna: Principal = { tenantId: 'tenant-1', subject: 'anna' };
const verified: VerifiedToken = { principal: anna, tokenId: 'j1', expiresAt: NOW + 60_000 };
const may = { permissions: new Set(['surveys:read']), version: '1' };

interface Surroundings {
  readonly verify?: () => Promise<VerifiedToken>;
  readonly user?: UserGrant | undefined;
  readonly apiKey?: (secretHash: Uint8Array) => ApiKeyGrant | undefined;
}

function setUp({ verify = async () => verified, apiKey = () => undefined, ...rest }: Surroundings = {}) {
  const user = 'user' in rest ? rest.user : { ...may, revokedTokens: new Set<string>() };
  const registry = new Registry();
  const lines: string[] = [];
  const asked: Uint8Array[] = [];
  const now = () => NOW;
  const authenticator = createAuthenticator({
    tokens: { verify, findCached: ([line] = []) => (line === 'Bearer known' ? verified : undefined) },
    permissions: createPermissionCache({
      load: async (_principal: Principal) => user,
      cacheKeyOf: ({ subject }) => subject,
      now,
    }),
    apiKeys: createPermissionCache({
      load: async (secretHash: Uint8Array<ArrayBuffer>) => {
        asked.push(secretHash);
        return apiKey(secretHash);
      },
      cacheKeyOf: (secretHash) => Buffer.from(secretHash).toString('base64'),
      now,
    }),
    clock: () => new Date(NOW),
    registry,
    log: pino({ base: null }, { write: (line) => void lines.push(line) }),
  });
  const call = { requestId: 'request-1', endpoint: 'unknown', tenantId: undefined, keepAlive: true };
  // Authentication reads only `locals`.
  const response = { locals: { call } } as unknown as Response;
  return {
    asked,
    lines,
    call,
    wasValid: authenticator.wasValid,
    authenticate: (...authorization: string[]) => authenticator.authenticate(authorization, response),
    async rejections(): Promise<Record<string, number>> {
      const [metric] = await registry.getMetricsAsJSON();
      return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels['reason']), value]));
    },
  };
}

const counted = (reason: string) => ({ ...Object.fromEntries(rejectionReasons.map((name) => [name, 0])), [reason]: 1 });

/** Texts for callers, by reason. Every other reason has the text `Invalid token`. */
const TEXTS: Readonly<Record<string, string>> = {
  missing: 'The header Authorization is missing',
  scheme: 'Authorization must be Bearer, a space and the token',
  expired: 'The token has expired',
};

describe('a rejected token', () => {
  it.each(rejectionReasons)(
    'is reported to the caller by one of four texts, and as %s in a metric and the log',
    async (reason) => {
      const secret = 'eyJhbGciOiJub25lIn0.e30.AAAA';
      const { authenticate, lines, rejections } = setUp({
        verify: () => Promise.reject(new TokenError(reason, { cause: new Error('the library says why') })),
      });
      const error = await authenticate(`Bearer ${secret}`).catch((thrown: unknown) => thrown);
      const message = TEXTS[reason] ?? 'Invalid token';
      const hasToken = reason !== 'missing' && reason !== 'scheme';
      expect(error).toMatchObject({ code: 'INVALID_TOKEN', message, hasToken, status: 401 });
      expect(error).not.toHaveProperty('cause');
      expect(await rejections()).toEqual(counted(reason));
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { request_id: 'request-1', reason, msg: 'token rejected' },
      ]);
      expect(lines.join()).not.toContain(secret);
    },
  );

  it('has an unknown user', async () => {
    const { authenticate, rejections } = setUp({ user: undefined });
    await expect(authenticate('Bearer a.b.c')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await rejections()).toEqual(counted('unknown_subject'));
  });

  it('was revoked; other tokens of the user stay valid', async () => {
    const { authenticate, rejections } = setUp({ user: { ...may, revokedTokens: new Set(['j0', 'j1']) } });
    await expect(authenticate('Bearer a.b.c')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await rejections()).toEqual(counted('revoked'));
    for (const revoked of [[], ['j2'], ['J1']]) {
      const { grant } = await setUp({ user: { ...may, revokedTokens: new Set(revoked) } }).authenticate('Bearer a.b.c');
      expect(grant.version).toBe('1');
    }
  });

  it('does not count as rejected if identity fails: the error is passed on', async () => {
    const { authenticate, lines } = setUp({ verify: () => Promise.reject(new Error('away')) });
    await expect(authenticate('Bearer a.b.c')).rejects.toThrow('away');
    expect(lines).toEqual([]);
  });
});

describe('an API key', () => {
  const secret = makeApiKeySecret(randomBytes(32));
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  const grant: ApiKeyGrant = { ...may, principal: anna, expiresAt: NOW + 1 };
  const only = (secretHash: Uint8Array) => (hashOf(secret).equals(secretHash) ? grant : undefined);

  it('is looked up only by its hash, so that timing reveals nothing about the secret', async () => {
    const { authenticate, asked, call } = setUp({ apiKey: only });
    expect(await authenticate(`Bearer ${secret}`)).toEqual({ principal: anna, grant });
    expect(call.tenantId).toBe('tenant-1');
    // A secret with another last character has an unrelated hash.
    const near = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    await expect(authenticate(`Bearer ${near}`)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(asked.map((bytes) => Buffer.from(bytes))).toEqual([hashOf(secret), hashOf(near)]);
  });

  it('is rejected when it expires', async () => {
    const { authenticate, rejections } = setUp({ apiKey: () => ({ ...grant, expiresAt: NOW }) });
    await expect(authenticate(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await rejections()).toEqual(counted('expired'));
  });

  it('is counted if it is unknown', async () => {
    const { authenticate, rejections, lines } = setUp();
    await expect(authenticate(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await rejections()).toEqual(counted('unknown_api_key'));
    expect(lines.join()).not.toContain(secret);
  });
});

describe('a known credential', () => {
  const secret = makeApiKeySecret(randomBytes(32));

  it('is a verified token or a found API key', async () => {
    const { authenticate, wasValid } = setUp({ apiKey: () => ({ ...may, principal: anna, expiresAt: NOW + 1 }) });
    expect(wasValid(['Bearer known'])).toBe(false);
    await authenticate('Bearer known');
    expect([wasValid(['Bearer known']), wasValid(['Bearer other']), wasValid(undefined)]).toEqual([true, false, false]);
    expect(wasValid([`Bearer ${secret}`])).toBe(false);
    await authenticate(`Bearer ${secret}`);
    expect(wasValid([`Bearer ${secret}`])).toBe(true);
  });

  it.each<[string, UserGrant | undefined]>([
    ['that was revoked', { ...may, revokedTokens: new Set(['j1']) }],
    ['of a user whom nobody knows', undefined],
  ])('is not a token %s, even with a valid signature', async (_case, user) => {
    const { authenticate, wasValid } = setUp({ user });
    await expect(authenticate('Bearer known')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    expect(wasValid(['Bearer known'])).toBe(false);
  });

  it('is not an expired API key', async () => {
    const { authenticate, wasValid } = setUp({ apiKey: () => ({ ...may, principal: anna, expiresAt: NOW }) });
    await expect(authenticate(`Bearer ${secret}`)).rejects.toThrow();
    expect(wasValid([`Bearer ${secret}`])).toBe(false);
  });

  it('is not an unknown API key, even after repeated attempts', async () => {
    const { authenticate, wasValid } = setUp();
    await expect(authenticate(`Bearer ${secret}`)).rejects.toThrow();
    expect(wasValid([`Bearer ${secret}`])).toBe(false);
  });
});
