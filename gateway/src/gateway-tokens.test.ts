import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { createTestIssuer } from './testing/test-issuer.ts';
import { send, startServer } from './testing/test-server.ts';

let folder: string;
let gateway: TestGateway;
let opened: { close(): unknown }[] = [];
/** Tokens that the services received. */
let seen: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-tokens-'));
});
afterEach(async () => {
  await gateway.close();
  for (const part of opened.splice(0)) await part.close();
  await rm(folder, { recursive: true });
});

async function open(env?: Record<string, string>): Promise<void> {
  seen = [];
  opened = [];
  gateway = await createTestGateway(({ headers }, response) => {
    seen.push(headers.authorization?.split(' ')[1] ?? '');
    response.end('[]');
  }, env);
  gateway.grants.set('tenant-1/user-1', ['surveys:read']);
}

const call = (token: string, headers: Record<string, string> = {}) =>
  send(`${gateway.url}/v1/surveys`, { headers: { authorization: `Bearer ${token}`, ...headers } });
const statusOf = async (token: string) => (await call(token)).status;
const isReady = async () => (await send(`${gateway.adminUrl}/readyz`)).status === 200;
const subjectSeen = async () => {
  const { tenantId, subject, permissions } = await (await gateway.verifierOf('survey')).verify(seen.at(-1) ?? '');
  return { tenantId, subject, permissions: [...permissions] };
};

describe('a revoked token', () => {
  it('is soon rejected, and other tokens of its user are not', async () => {
    await open();
    const [token, other] = [await gateway.issuer.sign({ jti: 'j1' }), await gateway.issuer.sign({ jti: 'j2' })];
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 200]);
    gateway.revokedTokens.set('tenant-1/user-1', ['j1']);
    await poll(async () => (await statusOf(token)) === 401);
    const rejected = await call(token);
    expect(JSON.parse(rejected.body)).toMatchObject({ code: 'INVALID_TOKEN', detail: 'Invalid token' });
    expect(rejected.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(await statusOf(other)).toBe(200);
    const { body } = await send(`${gateway.adminUrl}/metrics`);
    expect(body).toMatch(/^gateway_rejected_tokens_total\{reason="revoked"\} [1-9]/m);
  });

  it('stays rejected while identity is down', async () => {
    await open();
    gateway.revokedTokens.set('tenant-1/user-1', ['j1']);
    const token = await gateway.issuer.sign({ jti: 'j1' });
    expect(await statusOf(token)).toBe(401);
    await gateway.stopIdentity();
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await gateway.issuer.sign({ jti: 'j2' }))).toBe(200);
  });

  it('is revoked for one user: others may have tokens with the same id', async () => {
    await open();
    gateway.revokedTokens.set('tenant-1/user-1', ['j1']);
    gateway.grants.set('tenant-2/user-1', ['surveys:read']);
    gateway.grants.set('tenant-1/user-2', ['surveys:read']);
    expect(await statusOf(await gateway.issuer.sign({ jti: 'j1', tenant_id: 'tenant-2' }))).toBe(200);
    expect(await statusOf(await gateway.issuer.sign({ jti: 'j1', sub: 'user-2' }))).toBe(200);
  });
});

describe('a token of one tenant', () => {
  it('is worth nothing in another one, whatever headers come with it', async () => {
    await open();
    gateway.grants.set('tenant-2/user-1', ['surveys:read', 'surveys:delete']);
    const headers = { 'x-tenant-id': 'tenant-2', 'x-survey-tenant': 'tenant-2', tenant_id: 'tenant-2' };
    expect((await call(await gateway.issuer.sign(), headers)).status).toBe(200);
    expect(await subjectSeen()).toEqual({ tenantId: 'tenant-1', subject: 'user-1', permissions: ['surveys:read'] });
    await call(await gateway.issuer.sign({ tenant_id: 'tenant-2' }), { 'x-tenant-id': 'tenant-1' });
    expect(await subjectSeen()).toMatchObject({
      tenantId: 'tenant-2',
      permissions: ['surveys:read', 'surveys:delete'],
    });
  });

  it('does not read a user of another tenant', async () => {
    await open();
    gateway.grants.set('tenant-2/user-2', ['surveys:read']);
    expect(await statusOf(await gateway.issuer.sign({ sub: 'user-2' }))).toBe(401);
    expect(seen).toEqual([]);
  });
});

describe('a token outside of the Authorization header', () => {
  it.each([
    ['in the query', (token: string) => send(`${gateway.url}/v1/surveys?access_token=${token}`)],
    ['in the query as jwt', (token: string) => send(`${gateway.url}/v1/surveys?jwt=${token}&token=${token}`)],
    ['in a cookie', (token: string) => send(`${gateway.url}/v1/surveys`, { headers: { cookie: `token=${token}` } })],
    [
      'in another header',
      (token: string) => send(`${gateway.url}/v1/surveys`, { headers: { 'x-authorization': `Bearer ${token}` } }),
    ],
    [
      'for a proxy',
      (token: string) => send(`${gateway.url}/v1/surveys`, { headers: { 'proxy-authorization': `Bearer ${token}` } }),
    ],
    [
      'in two headers',
      (token: string) =>
        send(`${gateway.url}/v1/surveys`, { headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] } }),
    ],
  ])('is ignored: %s', async (_case, sendWith) => {
    await open();
    const reply = await sendWith(await gateway.issuer.sign());
    const detail = expect.stringMatching(/^(Invalid token|The header Authorization is missing)$/);
    expect([reply.status, JSON.parse(reply.body).detail]).toEqual([401, detail]);
    expect(seen).toEqual([]);
  });
});

describe('a gateway with several issuers', () => {
  const [first, second] = [createTestIssuer('key-1'), createTestIssuer('key-1', 'EdDSA')];

  async function openWithTwo() {
    const provider = await startServer((_request, response) =>
      response.end(JSON.stringify({ keys: [second.publicJwk] })),
    );
    const file = join(folder, 'first.json');
    await writeFile(file, JSON.stringify({ keys: [first.publicJwk] }));
    const issuers = [
      { issuer: 'first', jwks_file: file, algorithms: ['ES256'] },
      { issuer: 'second', jwks_url: `${provider.url}/jwks`, algorithms: ['EdDSA'], tenants: ['tenant-1'] },
    ];
    await open({ JWT_JWKS_FILE: '', JWT_ISSUERS: JSON.stringify(issuers) });
    opened.push(provider);
    return provider;
  }

  it('accepts tokens of each issuer, signed by its keys and for its tenants', async () => {
    await openWithTwo();
    gateway.grants.set('tenant-2/user-1', ['surveys:read']);
    expect(await statusOf(await first.sign({ iss: 'first' }))).toBe(200);
    expect(await statusOf(await second.sign({ iss: 'second' }))).toBe(200);
    expect(await statusOf(await first.sign({ iss: 'second' }))).toBe(401);
    expect(await statusOf(await second.sign({ iss: 'second', tenant_id: 'tenant-2' }))).toBe(401);
    expect(await statusOf(await first.sign({ iss: 'first', tenant_id: 'tenant-2' }))).toBe(200);
    expect(await statusOf(await first.sign())).toBe(401);
  });

  it('serves users of one issuer while the other is down', async () => {
    await (await openWithTwo()).close();
    await poll(isReady);
    expect(await statusOf(await first.sign({ iss: 'first' }))).toBe(200);
    const rejected = await call(await second.sign({ iss: 'second' }));
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '2']);
  });
});

describe('a gateway whose identity provider is down', () => {
  it('is not ready until the keys are loaded', async () => {
    const issuer = createTestIssuer('key-1');
    let isAway = true;
    let fetches = 0;
    const provider = await startServer((_request, response) => {
      fetches += 1;
      response.writeHead(isAway ? 503 : 200).end(JSON.stringify({ keys: [issuer.publicJwk] }));
    });
    await open({ JWT_JWKS_FILE: '', JWT_JWKS_URL: `${provider.url}/jwks` });
    opened.push(provider);
    expect(await isReady()).toBe(false);
    expect(await statusOf(await issuer.sign())).toBe(503);
    isAway = false;
    await poll(isReady);
    const before = fetches;
    expect(await statusOf(await issuer.sign())).toBe(200);
    expect(fetches).toBe(before);
  });
});
