import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { callOf } from '../rpc/call-context.ts';
import type { Implementation } from '../rpc/implementation.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';

const rule = (verb: 'get' | 'post' | 'delete', value: string, body = '') =>
  ({ pattern: { case: verb, value }, body }) as const;
const permission = (value: string) => ({ rule: { case: 'permission', value } }) as const;

interface EchoRequest {
  readonly id: string;
  readonly other: string;
  readonly tags: readonly string[];
  readonly count: number;
}

const implementation: Implementation = {
  service: createTestService([
    { name: 'Read', http: rule('get', '/things/{id}'), access: permission('things:read') },
    { name: 'Write', http: rule('post', '/things/{id}', '*'), access: anyone },
    { name: 'Remove', http: rule('delete', '/parts/{id}'), access: anyone },
    { name: 'Reject', http: rule('post', '/rejections'), access: anyone },
    { name: 'Break', http: rule('post', '/breaks'), access: anyone },
    { name: 'Forget', http: { ...rule('get', '/forgotten'), responseBody: 'inner' }, access: anyone },
  ]),
  handlers: {
    read: ({ id, tags }: EchoRequest) => ({ text: JSON.stringify({ id, tags }) }),
    write: (message: EchoRequest, context: Parameters<typeof callOf>[0]) => {
      const { id, other, count } = message;
      return { text: JSON.stringify({ id, other, count, requestId: callOf(context).requestId }) };
    },
    remove: ({ id }: EchoRequest) => ({ text: id }),
    reject: (_: EchoRequest, { responseHeader }: { responseHeader: Headers }) => {
      responseHeader.set('x-survey-tenant', 't-1');
      const errors = [{ path: '/a', code: 'X', detail: 'is wrong' }];
      throw new AppError('STATE_CONFLICT', { detail: 'Not now', errors });
    },
    break: () => {
      throw new Error('connection string mongodb://user:secret@host');
    },
    forget: () => ({}),
  },
};

let server: RestServer;
let call: RestServer['call'];
beforeAll(async () => {
  server = await serveRest([implementation]);
  call = server.call;
});
afterAll(() => server.close());

const echoed = (reply: { json: { text: string } }) => JSON.parse(reply.json.text);

describe('transcoder', () => {
  it('calls the handler with path, query and body', async () => {
    expect(echoed(await call('GET', '/v1/things/a%2Fb?tags=x&tags=y', { token: 'reader.x.x' }))).toEqual({
      id: 'a/b',
      tags: ['x', 'y'],
    });
    expect(echoed(await call('POST', '/v1/things/1', { body: '{"other":"o","count":3}' }))).toMatchObject({
      id: '1',
      other: 'o',
      count: 3,
    });
  });

  it('keeps a valid request id, and replaces an invalid one', async () => {
    const kept = await call('POST', '/v1/things/1', { headers: { 'x-request-id': 'abc-1' } });
    expect([kept.headers.get('x-request-id'), echoed(kept).requestId]).toEqual(['abc-1', 'abc-1']);
    const replaced = await call('POST', '/v1/things/1', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(echoed(replaced).requestId).toBe(replaced.headers.get('x-request-id'));
  });

  it('replies to an AppError with the full problem', async () => {
    const { status, headers, json } = await call('POST', '/v1/rejections', { headers: { 'x-request-id': 'r-1' } });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      409,
      'application/problem+json',
      'no-store',
    ]);
    expect(json).toEqual({
      type: '/docs/errors/STATE_CONFLICT',
      title: 'State conflict',
      status: 409,
      detail: 'Not now',
      code: 'STATE_CONFLICT',
      request_id: 'r-1',
      errors: [{ path: '/a', code: 'X', detail: 'is wrong' }],
    });
  });

  it('reports the tenant of a failed request to the gateway', async () => {
    expect((await call('POST', '/v1/rejections')).headers.get('x-survey-tenant')).toBe('t-1');
  });

  it('hides internals in unexpected errors', async () => {
    const { status, text, json } = await call('POST', '/v1/breaks');
    expect([status, json.code]).toEqual([500, 'INTERNAL']);
    expect(text).not.toContain('mongodb');
  });

  it('logs and counts a reply that cannot be written as a failure', async () => {
    const before = (await server.codes())['Internal'] ?? 0;
    expect((await call('GET', '/v1/forgotten')).status).toBe(500);
    expect(server.logged.at(-1)).toMatchObject({ msg: 'call failed', error_code: 'INTERNAL' });
    expect((await server.codes())['Internal']).toBe(before + 1);
  });

  it('checks the token before it reads the body, and the permission before it parses the request', async () => {
    expect((await call('POST', '/v1/things/1', { token: 'wrong.x.x', body: '{"' })).status).toBe(401);
    expect((await call('GET', '/v1/things/1?nope=1')).status).toBe(401);
    const { status, json } = await call('POST', '/v1/things/1', { token: 'wrong.x.x' });
    expect([status, json.detail]).toEqual([401, 'Invalid token']);
  });

  it('rejects an Accept without JSON', async () => {
    const headers = { accept: 'text/html, application/json;q=0' };
    const { status, json } = await call('POST', '/v1/things/1', { headers });
    expect([status, json.code]).toEqual([406, 'NOT_ACCEPTABLE']);
    expect((await call('POST', '/v1/things/1', { headers: { accept: 'text/html, */*;q=0.1' } })).status).toBe(200);
  });

  it('replies to HEAD like GET, without the body', async () => {
    const [get, head] = [
      await call('GET', '/v1/things/1', { token: 'reader.x.x' }),
      await call('HEAD', '/v1/things/1', { token: 'reader.x.x' }),
    ];
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ]);
    const rejected = await call('HEAD', '/v1/things/1');
    expect([rejected.status, rejected.text]).toEqual([401, '']);
  });

  it('replies to OPTIONS and wrong methods with the allowed methods', async () => {
    const options = await call('OPTIONS', '/v1/things/1');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
    for (const method of ['DELETE', 'PUT', 'PATCH', 'PROPFIND']) {
      const wrong = await call(method, '/v1/things/1');
      expect([wrong.status, wrong.headers.get('allow'), wrong.json.code]).toEqual([
        405,
        'GET, POST, HEAD, OPTIONS',
        'METHOD_NOT_ALLOWED',
      ]);
    }
    expect((await call('HEAD', '/v1/parts/1')).headers.get('allow')).toBe('DELETE, OPTIONS');
  });

  it('replies 404 to unknown paths', async () => {
    for (const path of ['/things/1', '/v1/none', '/', '/v1//things/1', `/v1/things/${'x'.repeat(300)}`]) {
      const { status, json } = await call('GET', path);
      expect([status, json.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  });

  it.each(['/v1/things/%zz', '/v1/things/%ff', '/v1/things/%00', '/v1/things/../things/1', '/v1/things/%2e%2e'])(
    'rejects the address %s',
    async (path) => {
      // Raw, because fetch would normalize the path.
      const reply = await server.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(reply).toMatch(/^HTTP\/1.1 400 .*"code":"INVALID_REQUEST"/s);
    },
  );

  it.each(['', 'Host: a\r\nHost: b\r\n'])('rejects a request whose Host headers are %j', async (hosts) => {
    const head = `GET /v1/things/1 HTTP/1.1\r\n${hosts}X-Request-Id: order-77\r\nConnection: close\r\n`;
    expect(await server.send(`${head}\r\n`)).toMatch(
      /^HTTP\/1.1 400 .*x-request-id: order-77\r\n.*"code":"INVALID_REQUEST"/s,
    );
  });

  it('rejects headers over 16 kB before any handler', async () => {
    const reply = await server.send(`GET /v1/things/${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 431 /);
  });

  it.each(['?nope=1', '?count=1e2', '?count=9007199254740993', '?id=2', '?other=1&other=2', '?other=%ff'])(
    'rejects the query %s',
    async (query) => {
      const head = `GET /v1/things/1${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer reader.x.x\r\n`;
      expect(await server.send(`${head}Connection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 400 .*"code":"INVALID_REQUEST"/s,
      );
    },
  );
});
