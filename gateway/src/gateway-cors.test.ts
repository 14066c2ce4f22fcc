import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { readConfig } from '@survey/runtime/config/settings';
import { afterAll, describe, expect, it } from 'vitest';
import { settings } from './config.ts';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { type Reply, send } from './testing/test-server.ts';

const FORMS = 'https://forms.example';
const SUBMIT = '/v1/public/surveys/1/responses';

const gateways: TestGateway[] = [];
const opened = new Map<string | undefined, Promise<Ask>>();
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

type Ask = (method: string, path: string, headers: object, body?: string) => Promise<Reply>;

/** Sends a request to a gateway with these origins. */
function open(origins?: string): Promise<Ask> {
  const request = opened.get(origins) ?? start(origins);
  opened.set(origins, request);
  return request;
}

async function start(origins: string | undefined): Promise<Ask> {
  const env = origins === undefined ? {} : { CORS_ORIGINS: origins };
  const gateway = await createTestGateway((_request, response) => response.setHeader('vary', 'Accept').end('{}'), env);
  gateways.push(gateway);
  gateway.grants.set('tenant-1/user-1', ['surveys:read', 'surveys:write']);
  const authorization = `Bearer ${await gateway.issuer.sign()}`;
  return (method, path, headers, body) => {
    const own = path.includes('public') ? {} : { authorization };
    const url = gateway.url + path;
    return send(url, { method, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) });
  };
}

function preflight(origin: string, method = 'POST') {
  return { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' };
}

function corsHeaders({ headers }: Reply): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

describe('a script of a configured origin', () => {
  it('may read replies of public routes with their headers, without cookies', async () => {
    const request = await open(`${FORMS}, http://localhost:3000`);
    const reply = await request('POST', SUBMIT, { origin: 'http://localhost:3000' });
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'http://localhost:3000', vary: 'Accept, Origin' },
    });
    expect(corsHeaders(reply)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
  });

  it('may read errors of public routes', async () => {
    const request = await open(FORMS);
    const reply = await request('POST', SUBMIT, { origin: FORMS }, 'x'.repeat(2 * 1024 * 1024 + 1));
    expect(reply).toMatchObject({ status: 413, headers: { 'access-control-allow-origin': FORMS, vary: 'Origin' } });
  });

  it('gets the allowed methods and headers in a preflight', async () => {
    const request = await open(FORMS);
    const reply = await request('OPTIONS', SUBMIT, preflight(FORMS));
    expect(reply).toMatchObject({
      status: 204,
      body: '',
      headers: {
        'access-control-allow-origin': FORMS,
        'access-control-allow-methods': 'POST',
        'access-control-max-age': '7200',
        vary: 'Origin',
      },
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may not read replies of tenants’ routes, nor send preflight requests', async () => {
    const request = await open(FORMS);
    for (const reply of [
      await request('GET', '/v1/surveys', { origin: FORMS }),
      await request('OPTIONS', '/v1/surveys', preflight(FORMS, 'GET')),
      await request('OPTIONS', '/v1/nothing', preflight(FORMS, 'GET')),
      await request('GET', '/health', { origin: FORMS }),
    ])
      expect(corsHeaders(reply)).toEqual([]);
  });

  it.each(['PUT', 'DELETE', 'CONNECT', 'post', 'constructor', ''])(
    'may not send a public address %j',
    async (method) => {
      const request = await open(FORMS);
      const reply = await request('OPTIONS', SUBMIT, preflight(FORMS, method));
      expect([reply.status, corsHeaders(reply)]).toEqual([204, []]);
    },
  );
});

describe('a page on this machine', () => {
  const LOCAL = 'http://localhost:*, http://127.0.0.1:*, http://[::1]:*';

  it.each(['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:5173', 'http://[::1]:8000', 'http://[::1]'])(
    'may use public routes from every port: %s',
    async (origin) => {
      const request = await open(LOCAL);
      for (const reply of [
        await request('POST', SUBMIT, { origin }),
        await request('OPTIONS', SUBMIT, preflight(origin)),
      ])
        expect(reply.headers).toMatchObject({
          'access-control-allow-origin': origin,
          vary: expect.stringContaining('Origin'),
        });
      expect(corsHeaders(await request('GET', '/v1/surveys', { origin }))).toEqual([]);
    },
  );

  it.each([
    'https://localhost:3000',
    'http://localhost.evil.example:3000',
    'http://evil.example:3000',
    'http://localhost:evil',
    'http://127.0.0.2:3000',
    'http://127.0.0.1.evil.example',
    'null',
    '',
  ])('is not a page of %j', async (origin) => {
    const request = await open(LOCAL);
    for (const reply of [
      await request('POST', SUBMIT, { origin }),
      await request('OPTIONS', SUBMIT, preflight(origin)),
    ])
      expect(corsHeaders(reply)).toEqual([]);
  });
});

describe('a script of another origin', () => {
  it.each([
    'https://evil.example',
    'http://forms.example',
    'https://forms.example:8443',
    'https://forms.example.evil.example',
    'https://sub.forms.example',
    'HTTPS://FORMS.EXAMPLE',
    'https://forms.example/',
    'null',
    '*',
    '',
  ])('may read nothing: %j', async (origin) => {
    const request = await open(FORMS);
    for (const [method, headers] of [
      ['POST', { origin }],
      ['OPTIONS', preflight(origin)],
    ] as const) {
      const reply = await request(method, SUBMIT, headers);
      expect(corsHeaders(reply)).toEqual([]);
      // Caches keep replies for different origins apart.
      expect(reply.headers.vary).toContain('Origin');
    }
  });

  it('may read nothing if it sends two origins', async () => {
    const request = await open(FORMS);
    expect(corsHeaders(await request('POST', SUBMIT, { origin: [FORMS, 'https://evil.example'] }))).toEqual([]);
  });
});

describe('scripts of all origins', () => {
  it('may read public replies if all origins are allowed, and replies do not vary', async () => {
    const request = await open('*');
    for (const headers of [{ origin: 'https://any.example' }, { origin: 'null' }, {}]) {
      const reply = await request('GET', '/v1/public/surveys/1', headers);
      expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept' });
    }
    expect(corsHeaders(await request('GET', '/v1/surveys', { origin: 'https://any.example' }))).toEqual([]);
  });

  it('may read nothing without configured origins', async () => {
    const request = await open();
    for (const reply of [
      await request('POST', SUBMIT, { origin: FORMS }),
      await request('OPTIONS', SUBMIT, preflight(FORMS)),
    ]) {
      expect(corsHeaders(reply)).toEqual([]);
      expect(reply.headers.vary ?? 'Accept').toBe('Accept');
    }
  });
});

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
}

/** Headers of public routes and of their replies in the OpenAPI document. */
async function documentedHeaders() {
  const file = createRequire(import.meta.url).resolve('@survey/proto/openapi.json');
  // Another test checks the document.
  const { paths, components } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
  };
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/public/'))
    .flatMap(([, methods]) => Object.values(methods));
  const parameters = operations
    .flatMap((operation) => operation.parameters ?? [])
    .map((parameter) => components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter);
  const replies = operations.flatMap(({ responses }) => Object.values(responses));
  return {
    sent: parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    headers: replies.flatMap(({ headers = {} }) => Object.keys(headers)),
  };
}

describe('headers that scripts may send and read', () => {
  it('are all headers of public routes in the OpenAPI document', async () => {
    const request = await open(FORMS);
    const allowed = (await request('OPTIONS', SUBMIT, preflight(FORMS))).headers['access-control-allow-headers'] ?? '';
    const exposed = (await request('POST', SUBMIT, { origin: FORMS })).headers['access-control-expose-headers'];
    const { sent, headers } = await documentedHeaders();
    expect(allowed.split(', ')).toEqual(expect.arrayContaining(sent));
    expect(String(exposed).split(', ')).toEqual(expect.arrayContaining(headers));
  });
});

describe('CORS_ORIGINS', () => {
  it.each([
    'forms.example',
    'https://forms.example/',
    'https://forms.example/path',
    'https://*.forms.example',
    'https://Forms.example',
    'https://forms.example:443',
    'ftp://forms.example',
    'https://forms.example:*',
    'https://localhost:*',
    'http://*:3000',
    'http://localhost:*/',
    'null',
    `*, ${FORMS}`,
    `${FORMS}, evil`,
  ])('is rejected at startup: %s', (value) => {
    expect(() => readConfig(settings, { CORS_ORIGINS: value })).toThrow('CORS_ORIGINS must list origins');
  });
});
