import { errorCodes } from '@survey/runtime/errors/error-codes';
import { FIELD_CODES, OPERATION_CODES } from '@survey/runtime/errors/field-codes';
import { errorAddress } from '@survey/runtime/rest/problem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

const GUIDES = [
  'quick-start',
  'console',
  'api',
  'errors',
  'definitions',
  'renderers',
  'webhooks',
  'webhook-corner-cases',
  'exports',
  'keep-a-copy',
  'shared-resources',
  'import',
  'lint-codes',
  'glossary',
];

/** The path of a file that `/docs` loads. */
async function findAsset(name: string): Promise<string> {
  const { body } = await send(`${gateway.url}/docs`);
  const path = [...body.matchAll(/"(\/docs\/assets\/[\w-]{43}\/[^"]+)"/g)].find(([, found]) =>
    found?.endsWith(`/${name}`),
  );
  return path?.[1] ?? '';
}

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

  it('show the documentation without requests to other hosts', async () => {
    const { status, headers, body } = await send(`${gateway.url}/docs`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(body).not.toMatch(/https?:/);
    const assets = [...body.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(12);
    for (const path of assets) expect((await send(`${gateway.url}${path}`)).status, path).toBe(200);
  });

  it('forbid inline scripts, and allow inline styles only in the reference', async () => {
    for (const path of ['/docs', '/docs/guides', '/docs/guides/api']) {
      const policy = (await send(`${gateway.url}${path}`)).headers['content-security-policy'];
      expect(policy).toContain("script-src 'self';");
      expect(String(policy).includes('unsafe'), path).toBe(path === '/docs');
    }
  });

  it('include the OpenAPI document as JSON and as YAML', async () => {
    const { body, headers } = await send(`${gateway.url}/openapi.json`);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(JSON.parse(body).paths)).toContain('/v1/surveys');
    const yaml = await send(`${gateway.url}/openapi.yaml`);
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(parse(yaml.body)).toEqual(JSON.parse(body));
  });

  it('link only pages and sections that exist', async () => {
    const pages = new Map<string, string>();
    const read = async (path: string) => {
      const { status, body } = await send(`${gateway.url}${path}`);
      expect(status, path).toBe(200);
      pages.set(path, body);
      return body;
    };
    const index = await read('/docs/guides');
    const guides = new Set([...index.matchAll(/href="(\/docs\/guides\/[^"#]+)"/g)].map(([, path]) => path ?? ''));
    expect([...guides]).toEqual(expect.arrayContaining(GUIDES.map((name) => `/docs/guides/${name}`)));
    for (const path of guides) {
      const body = await read(path);
      expect(body, path).toMatch(/<h1 id=/);
      expect(body, path).not.toMatch(/&lt;!--|href="(?!https?:|\/|#)/);
    }
    for (const [from, body] of [...pages]) {
      for (const [, path = '', fragment] of body.matchAll(/href="([^"#:]*)(?:#([^"]*))?"/g)) {
        const target = pages.get(path || from) ?? (await read(path));
        if (fragment !== undefined) expect(target, `${from} → ${path}#${fragment}`).toContain(`id="${fragment}"`);
      }
    }
  });

  it('explain every error at the address that its type names', async () => {
    for (const code of Object.keys(errorCodes)) {
      const { status, body } = await send(`${gateway.url}${errorAddress(code)}`);
      expect([status, code]).toEqual([200, code]);
      expect(body).toMatch(new RegExp(`<h1[^>]*>${code}</h1>`));
      expect(body).toContain('<strong>What to do:</strong>');
    }
  });

  it('list every code of errors and fields with its advice', async () => {
    const { body } = await send(`${gateway.url}/docs/guides/errors.md`);
    const rows = new Set([...body.matchAll(/^(?:\| \d{3} )?\| `([A-Z_]+)` \| .+ \|$/gm)].map(([, code]) => code));
    // The client of a cancelled call gets no reply.
    const codes = [errorCodes, FIELD_CODES, OPERATION_CODES].flatMap(Object.keys);
    expect([...rows, 'CANCELLED'].sort()).toEqual([...new Set(codes)].sort());
  });

  it('have an index for language models', async () => {
    const { headers, body } = await send(`${gateway.url}/llms.txt`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^# .+\n\n> .+\n\n.*\n## API\n\n- \[.*\n## Guides\n\n- \[/s);
    const links = [...body.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, path]) => path ?? '');
    expect(links).toEqual(
      expect.arrayContaining(['/openapi.json', ...GUIDES.map((name) => `/docs/guides/${name}.md`)]),
    );
    for (const path of links) expect((await send(`${gateway.url}${path}`)).status, path).toBe(200);
    const guide = await send(`${gateway.url}/docs/guides/api.md`);
    expect(guide.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(guide.body).toMatch(/^# API concepts\n/);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['deflate', null],
    ['identity', null],
  ])('are compressed for %j', async (accepted, encoding) => {
    for (const path of ['/docs', '/openapi.json', '/openapi.yaml', '/llms.txt', await findAsset('scalar.js')]) {
      const reply = await fetch(`${gateway.url}${path}`, { headers: { 'accept-encoding': accepted } });
      const plain = await send(`${gateway.url}${path}`);
      expect([path, reply.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect(reply.headers.get('vary')).toContain('Accept-Encoding');
      expect(reply.headers.get('etag') === plain.headers.etag).toBe(encoding === null);
      expect((await reply.text()) === plain.body, path).toBe(true);
      if (encoding !== null) expect(Number(reply.headers.get('content-length'))).toBeLessThan(plain.body.length / 1.3);
    }
  });

  it('have headers only for HEAD', async () => {
    const { status, headers, body } = await send(`${gateway.url}/docs/guides/api`, { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(Number(headers['content-length'])).toBeGreaterThan(10_000);
  });

  it('keep files with a hash in their path, and revalidate the others', async () => {
    const asset = await send(`${gateway.url}${await findAsset('scalar.js')}`);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const path of ['/docs', '/docs/guides/api', '/openapi.json', '/llms.txt'])
      expect((await send(`${gateway.url}${path}`)).headers['cache-control']).toBe('no-cache');
  });

  it('keep tokens only with DOCS_KEEP_TOKEN', async () => {
    expect((await send(`${gateway.url}/docs`)).body).not.toContain('data-keep-token');
    const local = await createTestGateway((_request, response) => response.end(), { DOCS_KEEP_TOKEN: 'true' });
    const { body } = await send(`${local.url}/docs`);
    await local.close();
    expect(body).toContain('data-keep-token');
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

  const revalidated = ['/docs', '/docs/guides/api', '/openapi.json', '/schemas/definition-1.0.json'];
  it.each(revalidated)('are sent again only when they changed: %s', async (path) => {
    const { headers } = await send(`${gateway.url}${path}`);
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
    const again = await send(`${gateway.url}${path}`, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again).toMatchObject({ status: 304, body: '' });
    const other = await send(`${gateway.url}${path}`, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

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
