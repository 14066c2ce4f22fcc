import { AppError } from '@survey/runtime/errors/app-error';
import { parseRanges } from '@survey/runtime/flow/client-address';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createClientLimits } from '../rates/client-limits.ts';
import { createLimitMetrics } from '../rates/limit-metrics.ts';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { TEST_NOW, times, trust } from '../testing/test-verifier.ts';
import type { Principal } from '../tokens/token-claims.ts';
import { createTokenVerifier } from '../tokens/token-verifier.ts';
import { createAuthenticator } from './authenticator.ts';
import type { ApiKeyGrant, UserGrant } from './identity-permissions.ts';
import { createPermissionCache } from './permission-cache.ts';

/** Authentication and limits, with a clock and users that the test controls. */
function setUp() {
  let time = TEST_NOW;
  const now = () => time;
  const clock = () => new Date(time);
  const users = new Map<string, UserGrant>();
  const registry = new Registry();
  const issuer = createTestIssuer('key-1', 'ES256', now);
  const authenticator = createAuthenticator({
    tokens: createTokenVerifier({ issuers: [trust([issuer.publicJwk])], times, clock, now }),
    permissions: createPermissionCache({
      load: async ({ subject }: Principal) => users.get(subject),
      cacheKeyOf: ({ subject }) => subject,
      now,
    }),
    apiKeys: createPermissionCache<Uint8Array<ArrayBuffer>, ApiKeyGrant>({
      load: async () => undefined,
      cacheKeyOf: () => '',
      now,
    }),
    clock,
    registry,
    log: testLog,
  });
  const limits = createClientLimits({
    publicRequestsPerMinute: 6,
    concurrentPublicRequests: 2,
    failedTokensPerMinute: 6,
    unlimited: parseRanges([]),
    metrics: createLimitMetrics(registry),
    now,
  });

  /** Sends a request with a token from the shared address. */
  async function authenticate(token: string): Promise<string> {
    const lines = [`Bearer ${token}`];
    const request = {
      client: limits.clientAt('192.0.2.1'),
      routeClass: 'default',
      wasValid: () => authenticator.wasValid(lines),
    } as const;
    const call = { requestId: 'request-1', endpoint: 'unknown', tenantId: undefined, keepAlive: true };
    // Authentication reads only `locals`.
    const response = { locals: { call } } as unknown as Response;
    try {
      await limits.authenticate(request, () => authenticator.authenticate(lines, response));
      return 'admitted';
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }

  return {
    issuer,
    authenticate,
    allow: (subject: string, ...revoked: string[]) =>
      users.set(subject, { permissions: new Set(), version: revoked.join(), revokedTokens: new Set(revoked) }),
    remove: (subject: string) => users.delete(subject),
    pass: (ms: number) => {
      time += ms;
    },
    async guess() {
      for (let count = 0; count < 10; count += 1) await authenticate(`a.b.${count}`);
    },
  };
}

describe('behind an address that guesses tokens', () => {
  it('a token in use stays valid during an outage, and a new one waits until its end', async () => {
    const { issuer, authenticate, allow, pass, guess } = setUp();
    allow('user-1');
    const token = await issuer.sign({ exp: TEST_NOW / 1_000 + 3_600 });
    expect(await authenticate(token)).toBe('admitted');
    for (let minute = 0; minute < 10; minute += 1) {
      await guess();
      expect(await authenticate(token)).toBe('admitted');
      expect(await authenticate(await issuer.sign({ jti: 'new' }))).toBe('TOO_MANY_REQUESTS');
      pass(61_000);
    }
    pass(300_000);
    expect(await authenticate(await issuer.sign({ jti: 'new' }))).toBe('admitted');
  });

  it('a token that was revoked meanwhile counts as a guess', async () => {
    const { issuer, authenticate, allow, pass, guess } = setUp();
    allow('user-1');
    const token = await issuer.sign({ jti: 'j1' });
    expect(await authenticate(token)).toBe('admitted');
    allow('user-1', 'j1');
    pass(3_000);
    expect(await authenticate(token)).toBe('INVALID_TOKEN');
    await guess();
    expect(await authenticate(token)).toBe('TOO_MANY_REQUESTS');
  });

  it('a token of a removed or unknown user counts as a guess', async () => {
    const { issuer, authenticate, allow, remove, pass, guess } = setUp();
    const [token, stranger] = [await issuer.sign(), await issuer.sign({ sub: 'stranger' })];
    allow('user-1');
    expect([await authenticate(token), await authenticate(stranger)]).toEqual(['admitted', 'INVALID_TOKEN']);
    remove('user-1');
    pass(3_000);
    expect(await authenticate(token)).toBe('INVALID_TOKEN');
    await guess();
    expect([await authenticate(token), await authenticate(stranger)]).toEqual([
      'TOO_MANY_REQUESTS',
      'TOO_MANY_REQUESTS',
    ]);
  });
});
