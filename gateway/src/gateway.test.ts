import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { createTestIssuer } from './testing/test-issuer.ts';
import { type Reply, send, type TestHandler } from './testing/test-server.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

let gateway: TestGateway;
let seen: Seen[] = [];
const backend: TestHandler = ({ method, url, headers }, response) => {
  seen.push({ method, url, headers });
  response.setHeader('x-survey-tenant', 'tenant-of-survey');
  response.setHeader('x-survey-internal', 'secret');
  response.setHeader('etag', '"1"');
  response.end('{"from":"backend"}');
};

beforeAll(async () => {
  gateway = await createTestGateway(backend);
  gateway.grants.set('tenant-1/reader', ['surveys:read']);
});
beforeEach(() => {
  seen = [];
});
afterAll(() => gateway.close());

async function bearer(claims: Record<string, unknown> = {}) {
  return { authorization: `Bearer ${await gateway.issuer.sign({ sub: 'reader', ...claims })}` };
}

function expectProblem(reply: Reply, status: number, code: string, detail: string, title: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/problem+json');
  expect(JSON.parse(reply.body)).toEqual({
    type: `/docs/errors/${code}`,
    title,
    status,
    detail,
    code,
    request_id: reply.headers['x-request-id'],
  });
}

describe.each(['/v1', '/api/v1'])('a route under %s', (prefix) => {
  it('replies 401 without a token', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys`);
    expectProblem(reply, 401, 'INVALID_TOKEN', 'The header Authorization is missing', 'Invalid token');
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(seen).toEqual([]);
  });

  it.each([
    ['without a tenant', { tenant_id: undefined }],
    ['without a subject', { sub: undefined }],
    ['of a user that the tenant does not have', { sub: 'nobody' }],
  ])('replies 401 to a token %s', async (_case, claims) => {
    const reply = await send(`${gateway.url}${prefix}/surveys`, { headers: await bearer(claims) });
    expectProblem(reply, 401, 'INVALID_TOKEN', 'Invalid token', 'Invalid token');
    expect(seen).toEqual([]);
  });

  it('replies 401 to a token that has expired, and says so', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys`, { headers: await bearer({ exp: 1 }) });
    expectProblem(reply, 401, 'INVALID_TOKEN', 'The token has expired', 'Invalid token');
    expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('does not say that a token has expired if its signature is wrong', async () => {
    const forged = await createTestIssuer().sign({ sub: 'reader', exp: 1 });
    const reply = await send(`${gateway.url}${prefix}/surveys`, { headers: { authorization: `Bearer ${forged}` } });
    expectProblem(reply, 401, 'INVALID_TOKEN', 'Invalid token', 'Invalid token');
  });

  it('replies 401 to two tokens', async () => {
    const { authorization } = await bearer();
    const reply = await send(`${gateway.url}${prefix}/surveys`, {
      headers: { authorization: [authorization, authorization] },
    });
    expectProblem(reply, 401, 'INVALID_TOKEN', 'Invalid token', 'Invalid token');
  });

  it('does not accept a token in the query', async () => {
    const token = await gateway.issuer.sign({ sub: 'reader' });
    const reply = await send(`${gateway.url}${prefix}/surveys?access_token=${token}`);
    expect(reply.status).toBe(401);
  });

  it('replies 403 without the permission, whether the record exists or not', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys/no-such-survey`, {
      method: 'DELETE',
      headers: await bearer(),
    });
    const detail = "Permission 'surveys:delete' required";
    expectProblem(reply, 403, 'PERMISSION_DENIED', detail, 'Permission denied');
    expect(seen).toEqual([]);
  });

  it('replies 404 to an unknown path', async () => {
    const reply = await send(`${gateway.url}${prefix}/nothing`, { headers: await bearer() });
    expectProblem(reply, 404, 'ROUTE_NOT_FOUND', `No operation is GET ${prefix}/nothing`, 'Route not found');
  });

  it('replies 405 to a method that the path does not support', async () => {
    const reply = await send(`${gateway.url}${prefix}/me`, { method: 'DELETE' });
    expectProblem(reply, 405, 'METHOD_NOT_ALLOWED', 'The path does not support this method', 'Method not allowed');
    expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('replies to OPTIONS with the supported methods', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys`, { method: 'OPTIONS' });
    expect(reply).toMatchObject({ status: 204, body: '', headers: { allow: 'GET, POST, HEAD, OPTIONS' } });
  });

  it('replies 413 to a body over the limit before the service sees it', async () => {
    gateway.grants.set('tenant-1/writer', ['surveys:write']);
    const reply = await send(`${gateway.url}${prefix}/surveys`, {
      method: 'POST',
      headers: await bearer({ sub: 'writer' }),
      body: 'x'.repeat(2 * 1024 * 1024 + 1),
    });
    const detail = 'The body is over the limit of 2097152 bytes';
    expectProblem(reply, 413, 'BODY_TOO_LARGE', detail, 'Body too large');
    expect(seen).toEqual([]);
  });

  it('reaches the service under the canonical prefix, with its query', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys?limit=2&q=a%20b`, { headers: await bearer() });
    expect(reply).toMatchObject({ status: 200, body: '{"from":"backend"}' });
    expect(seen).toMatchObject([{ method: 'GET', url: '/v1/surveys?limit=2&q=a%20b' }]);
  });

  it('replies to HEAD as to GET, without a body', async () => {
    const reply = await send(`${gateway.url}${prefix}/surveys`, { method: 'HEAD', headers: await bearer() });
    expect(reply).toMatchObject({ status: 200, body: '', headers: { etag: '"1"' } });
    expect(seen).toMatchObject([{ method: 'HEAD' }]);
  });
});

describe('/surveys', () => {
  it('can be read without a prefix', async () => {
    const reply = await send(`${gateway.url}/surveys?limit=1`, { headers: await bearer() });
    expect(reply.status).toBe(200);
    expect(seen).toMatchObject([{ url: '/v1/surveys?limit=1' }]);
  });

  it('cannot be written without a prefix', async () => {
    const reply = await send(`${gateway.url}/surveys`, { method: 'POST', headers: await bearer() });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  it('has nothing under it', async () => {
    expect((await send(`${gateway.url}/surveys/1`, { headers: await bearer() })).status).toBe(404);
  });
});

describe('what a service sees', () => {
  it('does not have headers that impersonate another caller', async () => {
    await send(`${gateway.url}/v1/surveys`, {
      headers: {
        ...(await bearer()),
        connection: 'close, x-private, content-type',
        'x-private': '1',
        'content-type': 'application/json',
        'keep-alive': 'timeout=5',
        te: 'trailers',
        upgrade: 'h2c',
        'proxy-authorization': 'Basic eA==',
        'proxy-connection': 'keep-alive',
        forwarded: 'for=6.6.6.6',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        'x-real-ip': '6.6.6.6',
        'x-survey-client-address': '6.6.6.6',
        'x-survey-tenant': 'other',
        cookie: 'session=1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'client=1',
        baggage: 'user=1',
        accept: 'application/json',
        'idempotency-key': 'k-1',
      },
    });
    const { authorization, host, 'x-request-id': requestId, ...others } = seen[0]?.headers ?? {};
    expect(others).toEqual({
      accept: 'application/json',
      connection: 'keep-alive',
      'idempotency-key': 'k-1',
      'x-survey-client-address': '127.0.0.1',
    });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(authorization).toMatch(/^Bearer /);
    expect(host).not.toContain(String(gateway.port));
  });

  it('is a token for itself with tenant, subject and permissions', async () => {
    await send(`${gateway.url}/v1/surveys`, { headers: await bearer() });
    const [, token = ''] = (seen[0]?.headers.authorization ?? '').split(' ');
    const verifier = await gateway.verifierOf('survey');
    expect(await verifier.verify(token)).toEqual({
      service: 'gateway',
      tenantId: 'tenant-1',
      subject: 'reader',
      permissions: new Set(['surveys:read']),
    });
    await expect((await gateway.verifierOf('response')).verify(token)).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
    });
  });

  it('is a token that names no tenant on a public route, whatever token the caller sends', async () => {
    const reply = await send(`${gateway.url}/v1/public/surveys/1`, { headers: await bearer() });
    const [, token = ''] = (seen[0]?.headers.authorization ?? '').split(' ');
    expect(await (await gateway.verifierOf('response')).verify(token)).toMatchObject({
      tenantId: undefined,
      subject: undefined,
      permissions: new Set(),
    });
    expect(reply.status).toBe(200);
  });
});

describe('a reply', () => {
  it('has no headers between gateway and services', async () => {
    const { headers } = await send(`${gateway.url}/v1/public/surveys/1`);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-survey-'))).toEqual([]);
  });

  it('has the request id of the caller if it is valid', async () => {
    const { headers } = await send(`${gateway.url}/v1/public/surveys/1`, { headers: { 'x-request-id': 'order-77' } });
    expect(headers['x-request-id']).toBe('order-77');
    expect(seen[0]?.headers['x-request-id']).toBe('order-77');
  });

  it('has a new request id if the caller sends no valid one', async () => {
    const { headers } = await send(`${gateway.url}/v1/public/surveys/1`, { headers: { 'x-request-id': 'a b"c' } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
