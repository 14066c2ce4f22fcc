import { randomBytes } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { makeApiKeySecret } from '@survey/runtime/auth/api-key-secret';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { send } from './testing/test-server.ts';

let gateway: TestGateway;
let secret: string;
let seen: string[];

beforeEach(async () => {
  seen = [];
  gateway = await createTestGateway(({ headers }, response) => {
    seen.push(headers.authorization ?? '');
    response.end('[]');
  });
  secret = makeApiKeySecret(randomBytes(32));
  gateway.apiKeys.set(secret, {
    keyId: 'key-1',
    tenantId: 'tenant-1',
    userId: 'anna',
    permissions: ['surveys:read'],
    version: '1',
  });
});
afterEach(() => gateway.close());

const call = (authorization: string | string[], method = 'GET') =>
  send(`${gateway.url}/v1/surveys`, { method, headers: { authorization } });
const untilRejected = () => poll(async () => (await call(`Bearer ${secret}`)).status === 401);

describe('an API key', () => {
  it('works like a token, with its user and its own permissions', async () => {
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    expect((await call(`bearer ${secret}`)).status).toBe(200);
    const verifier = await gateway.verifierOf('survey');
    expect(await verifier.verify(seen[0]?.split(' ')[1] ?? '')).toEqual({
      service: 'gateway',
      tenantId: 'tenant-1',
      subject: 'anna',
      permissions: new Set(['surveys:read']),
      apiKeyId: 'key-1',
    });
    const rejected = await call(`Bearer ${secret}`, 'POST');
    expect([rejected.status, JSON.parse(rejected.body).detail]).toEqual([403, "Permission 'surveys:write' required"]);
  });

  it.each([
    ['that nobody has', () => `Bearer ${makeApiKeySecret(randomBytes(32))}`],
    ['without its last character', () => `Bearer ${secret.slice(0, -1)}`],
    ['with one more character', () => `Bearer ${secret}A`],
    ['with a space after it', () => `Bearer ${secret} x`],
    ['in another case', () => `Bearer ${secret.toUpperCase()}`],
    ['that comes twice', () => [`Bearer ${secret}`, `Bearer ${secret}`]],
  ])('%s is 401 with the fixed body', async (_case, authorization) => {
    const { status, headers, body } = await call(authorization());
    expect([status, headers['www-authenticate'], JSON.parse(body).detail]).toEqual([
      401,
      'Bearer error="invalid_token"',
      'Invalid token',
    ]);
    expect(body).not.toContain(secret);
    expect(seen).toEqual([]);
  });

  it('has expired only for a caller with the whole secret', async () => {
    const known = gateway.apiKeys.get(secret);
    gateway.apiKeys.set(secret, { ...known, expiresAt: timestampFromMs(Date.now() - 1_000) });
    const near = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    const details = [secret, near].map(async (one) => JSON.parse((await call(`Bearer ${one}`)).body).detail);
    expect(await Promise.all(details)).toEqual(['The token has expired', 'Invalid token']);
  });

  it('of another scheme is 401 and says so', async () => {
    const { status, headers, body } = await call(`Basic ${secret}`);
    const detail = 'Authorization must be Bearer, a space and the token';
    expect([status, headers['www-authenticate'], JSON.parse(body).detail]).toEqual([401, 'Bearer', detail]);
    expect(body).not.toContain(secret);
  });

  it('is loaded once for concurrent requests', async () => {
    await Promise.all(Array.from({ length: 20 }, () => call(`Bearer ${secret}`)));
    expect(gateway.identityCalls()).toBe(1);
  });

  it('is rejected soon after it was deleted', async () => {
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    gateway.apiKeys.delete(secret);
    await untilRejected();
  });

  it('keeps working while identity is down, and another key gets 503', async () => {
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    await gateway.stopIdentity();
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    expect((await call(`Bearer ${makeApiKeySecret(randomBytes(32))}`)).status).toBe(503);
  });

  it('expires in time even while identity is down', async () => {
    const known = gateway.apiKeys.get(secret);
    gateway.apiKeys.set(secret, { ...known, expiresAt: timestampFromMs(Date.now() + 3_000) });
    expect((await call(`Bearer ${secret}`)).status).toBe(200);
    await gateway.stopIdentity();
    await untilRejected();
  });
});
