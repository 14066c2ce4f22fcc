import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { testLog } from '@survey/runtime/testing/test-log';
import type { JWK } from 'jose';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/test-issuer.ts';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { times, trust } from '../testing/test-verifier.ts';
import { createTokenVerifier } from './token-verifier.ts';
import { createKeyLoadMetrics, createRemoteKeys, warmKeys } from './trusted-issuers.ts';

type Reply = (response: ServerResponse) => unknown;

const old = createTestIssuer('old');
const next = createTestIssuer('next');
const sets =
  (...keys: JWK[]): Reply =>
  (response) =>
    response.end(JSON.stringify({ keys }));
const long = JSON.stringify({ keys: [old.publicJwk], more: 'x'.repeat(1_100_000) });

/** Replies of identity providers that fail. */
const broken: Record<string, Reply> = {
  'an error': (response) => response.writeHead(500).end(JSON.stringify({ keys: [old.publicJwk] })),
  'nothing, well': (response) => response.writeHead(204).end(),
  HTML: (response) => response.end('<html></html>'),
  'half of a set': (response) => response.end('{"keys":['),
  'no key set': (response) => response.end('{"keys":1}'),
  'no keys': sets(),
  'keys for encryption': sets({ ...old.publicJwk, use: 'enc' }),
  'a symmetric key': sets({ kty: 'oct', k: 'c2VjcmV0', kid: 'old', alg: 'ES256' }),
  'bytes that are no text': (response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
  'a redirect': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'too much': (response) => response.end(long),
  'too much, packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(long)),
  'a cut connection': (response) => response.socket?.destroy(),
  'half of what it announced': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"keys":[');
    setImmediate(() => response.socket?.destroy());
  },
  'nothing at all': () => undefined,
  'its headers and nothing more': (response) => response.writeHead(200).flushHeaders(),
};

let provider: TestServer;
let fetches: (string | undefined)[] = [];
let time = 0;
let currentReply: Reply;

beforeEach(async () => {
  fetches = [];
  time = Date.now();
  currentReply = sets(old.publicJwk);
  provider = await startServer((request, response) => {
    fetches.push(request.url);
    currentReply(response);
  });
});
afterEach(() => provider.close());

function setUp() {
  const registry = new Registry();
  const loads = createKeyLoadMetrics(registry)('https://a.example');
  const options = { url: `${provider.url}/jwks`, algorithms: ['ES256'], loads, log: testLog, timeoutMs: 1_500 };
  const keys = createRemoteKeys({ ...options, now: () => time });
  const issuer = { ...trust([old.publicJwk]), keys };
  const verifier = createTokenVerifier({ issuers: [issuer], times });
  return {
    issuer,
    keys,
    metric: async (name: string) => (await registry.getMetricsAsJSON()).find((metric) => metric.name === name)?.values,
    verify: async (from: typeof old, claims = {}) => verifier.verify([`Bearer ${await from.sign(claims)}`]),
  };
}

const taken = { principal: { subject: 'user-1' } };
const MINUTES_5 = 300_000;

describe('keys from an identity provider', () => {
  it('are fetched once for many tokens', async () => {
    const { verify } = setUp();
    await Promise.all([verify(old, { jti: '1' }), verify(old, { jti: '2' }), verify(old, { jti: '3' })]);
    await verify(old, { jti: '4' });
    expect(fetches).toHaveLength(1);
  });

  it('are fetched at most every 30 seconds for unknown key ids', async () => {
    const { verify } = setUp();
    await verify(old);
    const flood = async () => {
      const guesses = Array.from({ length: 50 }, (_, count) => verify(createTestIssuer(`made-up-${count}`)));
      for (const guess of await Promise.allSettled(guesses))
        expect(guess).toMatchObject({ reason: { rejection: 'unknown_key' } });
    };
    await flood();
    expect(fetches).toHaveLength(1);
    time += 30_000;
    await flood();
    await flood();
    expect(fetches).toHaveLength(2);
    await verify(old, { jti: 'meanwhile' });
  });

  it('are fetched again for a new key, which is accepted immediately', async () => {
    const { verify } = setUp();
    await verify(old);
    currentReply = sets(old.publicJwk, next.publicJwk);
    time += 30_000;
    expect(await verify(next)).toMatchObject(taken);
    expect(await verify(old)).toMatchObject(taken);
    expect(fetches).toHaveLength(2);
  });

  it('are fetched again after five minutes, so that tokens of a withdrawn key are rejected', async () => {
    const { verify, keys } = setUp();
    const known = () => verify(old, { iat: undefined, jti: 'known' });
    await known();
    const before = keys.current();
    currentReply = sets(next.publicJwk);
    time += MINUTES_5;
    // This request does not wait for the reload.
    expect(await verify(old, { jti: '1' })).toMatchObject(taken);
    await expect.poll(() => keys.current() !== before).toBe(true);
    await expect(known()).rejects.toMatchObject({ rejection: 'unknown_key' });
    expect(await verify(next)).toMatchObject(taken);
  });

  it('keep their object if unchanged, so that cached tokens stay valid', async () => {
    const { keys } = setUp();
    const before = await keys.usable();
    time += MINUTES_5;
    await keys.reload();
    expect(fetches).toHaveLength(2);
    expect(keys.current()).toBe(before);
  });

  it.each(Object.entries(broken))(
    'are 503 when there were none yet and the provider sends %s, until it sends better ones',
    async (_case, reply) => {
      currentReply = reply;
      const { verify, issuer } = setUp();
      await expect(verify(old)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
      await expect(verify(old)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(warmKeys([issuer])).rejects.toThrow();
      expect(fetches).toEqual(['/jwks']);
      currentReply = sets(old.publicJwk);
      time += 2_000;
      await warmKeys([issuer]);
      expect(await verify(old)).toMatchObject(taken);
    },
  );

  it.each(Object.entries(broken))('stay valid when the provider sends %s later', async (_case, reply) => {
    const { verify } = setUp();
    await verify(old);
    currentReply = reply;
    time += MINUTES_5;
    for (const jti of ['1', '2', '3']) expect(await verify(old, { jti })).toMatchObject(taken);
    await expect(verify(next)).rejects.toMatchObject({ rejection: 'unknown_key' });
    expect(fetches).toHaveLength(2);
  });

  it('are rejected when the provider publishes their private part, though it has no other key', async () => {
    const { verify, keys } = setUp();
    const known = () => verify(old, { iat: undefined, jti: 'known' });
    await known();
    const before = keys.current();
    currentReply = sets({ ...old.privateKey.export({ format: 'jwk' }), kid: 'old' });
    time += MINUTES_5;
    await keys.usable();
    await expect.poll(() => keys.current() !== before).toBe(true);
    await expect(known()).rejects.toMatchObject({ rejection: 'unknown_key' });
    currentReply = sets(next.publicJwk);
    time += 30_000;
    expect(await verify(next)).toMatchObject(taken);
  });

  it('exclude unusable keys', async () => {
    currentReply = sets({ kty: 'oct', k: 'c2VjcmV0', kid: 'shared' }, { ...next.publicJwk, d: 'AAAA' }, old.publicJwk);
    const { verify } = setUp();
    expect(await verify(old)).toMatchObject(taken);
    await expect(verify(next)).rejects.toMatchObject({ rejection: 'unknown_key' });
  });

  it('have metrics for successful and failed loads, and the time of the last success', async () => {
    const { verify, metric } = setUp();
    const labels = { issuer: 'https://a.example' };
    await verify(old);
    currentReply = broken['HTML'] ?? currentReply;
    time += MINUTES_5;
    await verify(old, { jti: '1' });
    await expect
      .poll(() => metric('gateway_jwks_loads_total'))
      .toEqual([
        { value: 1, labels: { ...labels, outcome: 'ok' } },
        { value: 1, labels: { ...labels, outcome: 'failed' } },
      ]);
    const [last] = (await metric('gateway_jwks_last_load_timestamp_seconds')) ?? [];
    expect(Math.abs(Number(last?.value) - Date.now() / 1000)).toBeLessThan(60);
  });
});

describe('the keys of several issuers', () => {
  it('are warm when one issuer has replied, even if another hangs', async () => {
    const [{ issuer }, hanging] = [setUp(), setUp()];
    await issuer.keys.usable();
    currentReply = () => undefined;
    await warmKeys([hanging.issuer, issuer]);
    expect(await issuer.keys.usable()).toBeDefined();
    await expect(hanging.verify(old)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
