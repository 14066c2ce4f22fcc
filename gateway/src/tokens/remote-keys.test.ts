import type { ServerResponse } from 'node:http';
import { testLog } from '@survey/runtime/testing/test-log';
import type { JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { createRemoteKeys } from './remote-keys.ts';
import { createTokenVerifier } from './token-verifier.ts';

const old = createTestIssuer('old');
const next = createTestIssuer('next');
const sets =
  (...keys: JWK[]) =>
  (response: ServerResponse) =>
    void response.end(JSON.stringify({ keys }));
const broken: Record<string, (response: ServerResponse) => void> = {
  'an error': (response) => void response.writeHead(500).end(),
  HTML: (response) => void response.end('<html></html>'),
  'no key set': (response) => void response.end('{"keys":1}'),
  'a redirect': (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  'too much': (response) => void response.end(JSON.stringify({ keys: [], more: 'x'.repeat(1_100_000) })),
  'a cut connection': (response) => void response.socket?.destroy(),
};

let provider: TestServer;
let fetches = 0;
let time = 0;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  fetches = 0;
  time = Date.now();
  answer = sets(old.publicJwk);
  provider = await startServer((_request, response) => {
    fetches += 1;
    answer(response);
  });
});
afterEach(() => provider.close());

function setUp() {
  const keys = createRemoteKeys({ url: `${provider.url}/jwks`, log: testLog, now: () => time });
  const verifier = createTokenVerifier({ keys, algorithms: ['ES256'], maxLifetimeSeconds: 3600 });
  return {
    keys,
    verify: async (issuer: typeof old, claims = {}) => verifier.verify([`Bearer ${await issuer.sign(claims)}`]),
  };
}

describe('keys from an identity provider', () => {
  it('are fetched once for many tokens', async () => {
    const { verify } = setUp();
    await Promise.all([verify(old, { jti: '1' }), verify(old, { jti: '2' }), verify(old, { jti: '3' })]);
    expect(fetches).toBe(1);
  });

  it('are fetched at most once for many unknown key ids', async () => {
    const { verify } = setUp();
    await verify(old);
    for (let count = 0; count < 5; count += 1) {
      await expect(verify(createTestIssuer(`made-up-${count}`))).rejects.toMatchObject({ rejection: 'unknown_key' });
    }
    expect(fetches).toBe(1);
  });

  it.each(Object.entries(broken))(
    'are 503 when there were none yet and the provider sends %s',
    async (_case, reply) => {
      answer = reply;
      const { verify, keys } = setUp();
      await expect(verify(old)).rejects.toMatchObject({ reason: 'UNAVAILABLE', retryAfterSeconds: 2 });
      await expect(verify(old)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(keys.ready()).rejects.toThrow();
      expect(fetches).toBe(1);
      answer = sets(old.publicJwk);
      time += 2_000;
      expect(await verify(old)).toMatchObject({ subject: 'user-1' });
    },
  );

  it.each(Object.entries(broken))('stay in force when the provider sends %s later', async (_case, reply) => {
    const { verify } = setUp();
    await verify(old);
    answer = reply;
    time += 300_001;
    for (const jti of ['1', '2', '3']) expect(await verify(old, { jti })).toMatchObject({ subject: 'user-1' });
    await expect(verify(next)).rejects.toMatchObject({ rejection: 'unknown_key' });
    expect(fetches).toBe(2);
  });

  it('are fetched again after five minutes, so that a withdrawn one is refused', async () => {
    const { verify } = setUp();
    await verify(old);
    answer = sets(next.publicJwk);
    time += 300_001;
    // Beside this request, which need not wait.
    await verify(old, { jti: '1' });
    await expect
      .poll(() => verify(old, { jti: String(Math.random()) }).catch((error) => error.rejection))
      .toBe('unknown_key');
    expect(await verify(next)).toMatchObject({ subject: 'user-1' });
  });
});
