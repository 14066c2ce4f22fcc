import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { send } from './testing/test-server.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await createTestGateway((_request, response) => {
    response.setHeader('x-survey-tenant', 'tenant-of-survey');
    response.end();
  });
  gateway.grants.set('tenant-1/user-1', ['surveys:read']);
});
afterAll(() => gateway.close());

describe('/metrics', () => {
  it('counts requests by route template, status and tenant', async () => {
    await send(`${gateway.url}/v1/surveys/77`, { headers: { authorization: `Bearer ${await gateway.issuer.sign()}` } });
    await send(`${gateway.url}/v1/public/surveys/1`);
    await send(`${gateway.url}/no/such/path`);
    await send(`${gateway.url}/v1/me`);
    const { body, headers } = await send(`${gateway.url}/metrics`);
    expect(headers['content-type']).toMatch(/^text\/plain; /);
    const lines = body.split('\n');
    const find = (...parts: string[]) => lines.find((line) => parts.every((part) => line.includes(part)));
    expect(
      find('http_requests_total{', '"/v1/surveys/{survey_id}"', 'method="GET"', 'status_code="200"', '"tenant-1"'),
    ).toBeDefined();
    expect(
      find('http_requests_total{', '"/v1/public/surveys/{survey_id}"', 'tenant_id="tenant-of-survey"'),
    ).toBeDefined();
    expect(
      find('http_requests_total{', 'endpoint="unknown"', 'status_code="404"', 'tenant_id="unknown"'),
    ).toBeDefined();
    expect(
      find('http_request_duration_seconds_bucket{', '"/v1/surveys/{survey_id}"', 'le="0.5"', '"tenant-1"'),
    ).toBeDefined();
    expect(find('gateway_rejected_tokens_total{reason="missing"}')).toBeDefined();
  });
});

describe('pages', () => {
  it('redirect the root to the documentation', async () => {
    expect(await send(`${gateway.url}/`)).toMatchObject({ status: 302, headers: { location: '/docs' } });
  });

  it('show the documentation with nothing from elsewhere', async () => {
    const { status, headers, body } = await send(`${gateway.url}/docs`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(body).not.toMatch(/https?:/);
    const assets = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) expect((await send(`${gateway.url}${path}`)).status, path).toBe(200);
  });

  it('include the OpenAPI document', async () => {
    const { body, headers } = await send(`${gateway.url}/openapi.json`);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(JSON.parse(body).paths)).toContain('/v1/surveys');
  });

  it('include the JSON Schema of definitions', async () => {
    const { body, headers } = await send(`${gateway.url}/schemas/definition-1.0.json`);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:survey:schemas:definition-1.0',
    });
  });

  it.each([
    ['range', 'bytes=9999999-'],
    ['if-match', '"x"'],
    ['if-unmodified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ])('are sent completely, for any value of %s', async (name, value) => {
    for (const path of ['/docs', '/openapi.json', '/schemas/definition-1.0.json'])
      expect((await send(`${gateway.url}${path}`, { headers: { [name]: value } })).status).toBe(200);
  });

  it.each(['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/schemas/definition-1.0.json'])(
    'are sent again only when they changed: %s',
    async (path) => {
      const { headers } = await send(`${gateway.url}${path}`);
      expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
      const again = await send(`${gateway.url}${path}`, { headers: { 'if-none-match': headers.etag ?? '' } });
      expect(again).toMatchObject({ status: 304, body: '' });
      const other = await send(`${gateway.url}${path}`, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
    },
  );

  it.each(['/health', '/docs', '/metrics', '/openapi.json'])('reject other methods: %s', async (path) => {
    const reply = await send(`${gateway.url}${path}`, { method: 'POST' });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await send(`${gateway.url}${path}`, { method: 'OPTIONS' })).toMatchObject({ status: 204 });
  });
});

describe('the admin port', () => {
  it('reports that the gateway is ready', async () => {
    const { status, body } = await send(`${gateway.adminUrl}/readyz`);
    expect([status, JSON.parse(body)]).toEqual([200, { ready: true, checks: { keys: true } }]);
  });
});
