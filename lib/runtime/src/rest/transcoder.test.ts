import { request as httpRequest } from 'node:http';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { AppError } from '../errors/app-error.ts';
import { callOf } from '../rpc/call-context.ts';
import type { Implementation } from '../rpc/implementation.ts';
import { createPipeline } from '../rpc/pipeline.ts';
import { createHttpListener } from '../service/http-listener.ts';
import { poll } from '../testing/poll.ts';
import { anyone, describeService } from '../testing/test-contract.ts';
import { testLog } from '../testing/test-log.ts';
import { createTranscoder } from './transcoder.ts';

const rule = (verb: 'get' | 'post' | 'delete', value: string, body = '') =>
  ({ pattern: { case: verb, value }, body }) as const;
const permission = (value: string) => ({ rule: { case: 'permission', value } }) as const;

interface EchoRequest {
  readonly id: string;
  readonly other: string;
  readonly tags: readonly string[];
  readonly count: number;
}

let aborted = 0;
const implementation: Implementation = {
  service: describeService([
    { name: 'Read', http: rule('get', '/things/{id}'), access: permission('things:read') },
    { name: 'Write', http: rule('post', '/things/{id}', '*'), access: anyone },
    { name: 'Refuse', http: rule('post', '/refusals'), access: anyone },
    { name: 'Break', http: rule('post', '/breaks'), access: anyone },
    { name: 'Wait', http: rule('get', '/waits'), access: anyone },
  ]),
  handlers: {
    read: ({ id, tags }: EchoRequest) => ({ text: JSON.stringify({ id, tags }) }),
    write: (message: EchoRequest, context: Parameters<typeof callOf>[0]) => {
      const { id, other, count } = message;
      return { text: JSON.stringify({ id, other, count, requestId: callOf(context).requestId }) };
    },
    refuse: (_: EchoRequest, { responseHeader }: { responseHeader: Headers }) => {
      responseHeader.set('x-survey-tenant', 't-1');
      const errors = [{ path: '/a', code: 'X', detail: 'is wrong' }];
      throw new AppError('STATE_CONFLICT', { detail: 'Not now', errors });
    },
    break: () => {
      throw new Error('connection string mongodb://user:secret@host');
    },
    wait: (_: EchoRequest, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          resolve({ text: '' });
        });
      }),
  },
};

const caller: Caller = { service: 'gateway', tenantId: undefined, subject: undefined, permissions: new Set() };
const verifier = {
  verify: async (token: string): Promise<Caller> => {
    if (token === 'reader.x.x') {
      // Tests need no verified token to be a tenant.
      return {
        ...caller,
        tenantId: 't' as NonNullable<Caller['tenantId']>,
        subject: 'u',
        permissions: new Set(['things:read']),
      };
    }
    if (token !== 'public.x.x') throw new AppError('INVALID_TOKEN');
    return caller;
  },
};
const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
const transcode = createTranscoder({ implementations: [implementation], pipeline });
const listener = createHttpListener((request, response) => void transcode(request, response));
let base = '';

beforeAll(async () => {
  base = `http://127.0.0.1:${await listener.listen(0, '127.0.0.1')}`;
});
afterAll(() => listener.close());

interface Options {
  readonly token?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

async function call(method: string, path: string, { token = 'public.x.x', body, headers = {} }: Options = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text) };
}

const echoed = (answer: { json: { text: string } }) => JSON.parse(answer.json.text);

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

  it('takes no body and an empty object for the same', async () => {
    const empty = { id: '1', other: '', count: 0 };
    expect(echoed(await call('POST', '/v1/things/1'))).toMatchObject(empty);
    expect(echoed(await call('POST', '/v1/things/1', { body: '{}' }))).toMatchObject(empty);
  });

  it('keeps a sane request id and replaces any other', async () => {
    const kept = await call('POST', '/v1/things/1', { headers: { 'x-request-id': 'abc-1' } });
    expect([kept.headers.get('x-request-id'), echoed(kept).requestId]).toEqual(['abc-1', 'abc-1']);
    const replaced = await call('POST', '/v1/things/1', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(echoed(replaced).requestId).toBe(replaced.headers.get('x-request-id'));
  });

  it('answers an error of ours with its whole body', async () => {
    const { status, headers, json } = await call('POST', '/v1/refusals', { headers: { 'x-request-id': 'r-1' } });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      409,
      'application/problem+json',
      'no-store',
    ]);
    expect(json).toEqual({
      type: 'urn:survey:error:STATE_CONFLICT',
      title: 'State conflict',
      status: 409,
      detail: 'Not now',
      code: 'STATE_CONFLICT',
      request_id: 'r-1',
      errors: [{ path: '/a', code: 'X', detail: 'is wrong' }],
    });
  });

  it('tells the gateway the tenant of a refused request', async () => {
    expect((await call('POST', '/v1/refusals')).headers.get('x-survey-tenant')).toBe('t-1');
  });

  it('says nothing of its inside when something breaks', async () => {
    const { status, text, json } = await call('POST', '/v1/breaks');
    expect([status, json.code]).toEqual([500, 'INTERNAL']);
    expect(text).not.toContain('mongodb');
  });

  it('asks for the token before it reads the body, and for the permission before it looks at the request', async () => {
    expect((await call('POST', '/v1/things/1', { token: 'wrong.x.x', body: '{"' })).status).toBe(401);
    expect((await call('GET', '/v1/things/1?nope=1')).status).toBe(401);
    const { status, json } = await call('POST', '/v1/things/1', { token: 'wrong.x.x' });
    expect([status, json.detail]).toEqual([401, 'Invalid token']);
  });

  it.each<[string, number, string, Options]>([
    ['a body that is no JSON', 400, 'INVALID_REQUEST', { body: '{"a"' }],
    ['a body that is no object', 400, 'INVALID_REQUEST', { body: '[]' }],
    ['a body that is no UTF-8', 400, 'INVALID_REQUEST', { body: new Uint8Array([0x22, 0xff, 0x22]) }],
    ['an unknown member', 400, 'INVALID_REQUEST', { body: '{"nope":1}' }],
    ['a member that the address names', 400, 'INVALID_REQUEST', { body: '{"id":"2"}' }],
    ['another content type', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    [
      'another charset',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['a compressed body', 415, 'UNSUPPORTED_MEDIA_TYPE', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
    ['a body over the limit', 413, 'BODY_TOO_LARGE', { body: JSON.stringify({ other: 'x'.repeat(2 * 1024 * 1024) }) }],
    [
      'an Accept that leaves out JSON',
      406,
      'NOT_ACCEPTABLE',
      { headers: { accept: 'text/html, application/json;q=0' } },
    ],
  ])('refuses %s', async (_, status, code, options) => {
    const answer = await call('POST', '/v1/things/1', options);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it.each(['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1'])(
    'takes the Accept %s',
    async (accept) => {
      expect((await call('POST', '/v1/things/1', { headers: { accept } })).status).toBe(200);
    },
  );

  it.each(['application/json; charset=UTF-8', 'application/merge-patch+json', 'Application/JSON;charset="utf-8"'])(
    'takes the Content-Type %s',
    async (type) => {
      expect((await call('POST', '/v1/things/1', { body: '{}', headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it('refuses a chunked body over the limit without keeping it', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer public.x.x', 'content-type': 'application/json' };
      const request = httpRequest(`${base}/v1/things/1`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      // The server may close while we still write.
      request.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error),
      );
      for (let n = 0; n < 40; n += 1) request.write(Buffer.alloc(64 * 1024, 'x'));
      request.end();
    });
    expect(status).toBe(413);
  });

  it('answers HEAD as GET without the body', async () => {
    const [get, head] = [
      await call('GET', '/v1/things/1', { token: 'reader.x.x' }),
      await call('HEAD', '/v1/things/1', { token: 'reader.x.x' }),
    ];
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ]);
  });

  it('answers OPTIONS and wrong methods with those that there are', async () => {
    const options = await call('OPTIONS', '/v1/things/1');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
    const wrong = await call('DELETE', '/v1/things/1');
    expect([wrong.status, wrong.headers.get('allow'), wrong.json.code]).toEqual([
      405,
      'GET, POST, HEAD, OPTIONS',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  it('finds nothing elsewhere', async () => {
    for (const path of ['/things/1', '/v1/none', '/', '/v1/things/%zz']) {
      expect((await call('GET', path)).json.code).toBe('ROUTE_NOT_FOUND');
    }
  });

  it('tells the handler when the client goes away', async () => {
    const abort = new AbortController();
    const running = fetch(`${base}/v1/waits`, {
      headers: { authorization: 'Bearer public.x.x' },
      signal: abort.signal,
    });
    setImmediate(() => abort.abort());
    await expect(running).rejects.toThrow();
    await poll(() => aborted === 1 || fetchAborted());
    /** An abort before the request was sent needs another try. */
    async function fetchAborted(): Promise<false> {
      const again = new AbortController();
      const repeated = fetch(`${base}/v1/waits`, {
        headers: { authorization: 'Bearer public.x.x' },
        signal: again.signal,
      });
      setTimeout(() => again.abort(), 50);
      await expect(repeated).rejects.toThrow();
      return false;
    }
    expect(aborted).toBeGreaterThan(0);
  });
});
