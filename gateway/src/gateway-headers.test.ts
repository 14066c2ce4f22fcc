import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { send, sendRaw, type TestHandler } from './testing/test-server.ts';

let gateway: TestGateway;
let seen: IncomingHttpHeaders[];
const opened = new Map<string, TestGateway>();
afterAll(() => Promise.all([...opened.values()].map((one) => one.close())));

/** Starts a gateway with these settings, once for all tests that use it. */
async function open(env: Readonly<Record<string, string>> = {}): Promise<void> {
  seen = [];
  const backend: TestHandler = ({ headers }, response) => {
    seen.push(headers);
    response.end('[]');
  };
  const key = JSON.stringify(env);
  gateway = opened.get(key) ?? (await createTestGateway(backend, env));
  opened.set(key, gateway);
  gateway.grants.set('tenant-1/user-1', ['surveys:read']);
}

const bearer = async () => ({ authorization: `Bearer ${await gateway.issuer.sign()}` });

const SECURE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

describe('a reply tells browsers not to render it as a page', () => {
  it.each([
    ['data', 'GET', '/v1/surveys', 200],
    ['data of public routes', 'GET', '/v1/public/surveys/1', 200],
    ['a rejection', 'POST', '/v1/surveys', 403],
    ['that there is nothing', 'GET', '/v1/nothing', 404],
    ['that the method is wrong', 'DELETE', '/v1/me', 405],
    ['what can be done', 'OPTIONS', '/v1/me', 204],
    ['health', 'GET', '/health', 503],
    ['metrics', 'GET', '/metrics', 200],
    ['the document of the API', 'GET', '/openapi.json', 200],
  ])('when it is %s', async (_case, method, path, status) => {
    await open();
    const reply = await send(`${gateway.url}${path}`, { method, headers: await bearer() });
    const { 'content-security-policy': policy = '', ...headers } = reply.headers;
    const { 'content-security-policy': expected, ...others } = SECURE;
    expect(reply.status).toBe(status);
    expect(headers).toMatchObject(others);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    if (path === '/openapi.json') expect(policy).toContain("default-src 'none'");
    else expect(policy).toBe(expected);
  });

  it('when the request is malformed', async () => {
    await open();
    const broken = await sendRaw(gateway.port, 'GARBAGE\r\n\r\n');
    const tunnel = await sendRaw(gateway.port, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
    for (const [name, value] of Object.entries(SECURE)) {
      expect(broken).toContain(`${name}: ${value}\r\n`);
      expect(tunnel).toContain(`${name}: ${value}\r\n`);
    }
  });

  it('and to use TLS only, if configured', async () => {
    await open({ HSTS_MAX_AGE_S: '31536000' });
    for (const path of ['/v1/surveys', '/docs', '/v1/nothing']) {
      const { headers } = await send(`${gateway.url}${path}`, { headers: await bearer() });
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    }
    expect(await sendRaw(gateway.port, 'GARBAGE\r\n\r\n')).toContain('strict-transport-security: max-age=31536000\r\n');
  });
});

describe('the address of a caller', () => {
  const tales = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7', 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' };
  const addressSeen = async () => {
    await send(`${gateway.url}/v1/public/surveys/1`, { headers: tales });
    return seen[0]?.['x-survey-client-address'];
  };

  it('is reported to services from its connection', async () => {
    await open();
    expect(await addressSeen()).toBe('127.0.0.1');
  });

  it('is forwarded to services as a trusted proxy reports it', async () => {
    await open({ TRUSTED_PROXIES: '1' });
    expect(await addressSeen()).toBe('203.0.113.7');
  });

  it('is not taken from headers of the client itself', async () => {
    await open();
    const names = ['x-tenant-id', 'x-user-id', 'x-internal-role', 'x-survey-tenant', 'x-forwarded-user', 'x-real-ip'];
    const claims = Object.fromEntries(
      names.flatMap((name) => [
        [name, 'other'],
        [name.toUpperCase(), 'other'],
      ]),
    );
    await send(`${gateway.url}/v1/surveys`, { headers: { ...(await bearer()), ...claims } });
    expect(Object.keys(seen[0] ?? {}).filter((name) => names.includes(name))).toEqual([]);
    expect(seen).toHaveLength(1);
  });
});

describe('the request id', () => {
  it.each([
    ['too long', 'x'.repeat(129)],
    ['empty', ''],
    ['with a space', 'a b'],
    ['with markup', '<script>'],
    ['with what is no ASCII', 'ü'],
    ['given twice', ['a', 'b']],
  ])('is replaced if it is %s', async (_case, id) => {
    await open();
    const reply = await send(`${gateway.url}/v1/public/surveys/1`, { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(seen[0]?.['x-request-id']).toBe(reply.headers['x-request-id']);
  });
});
