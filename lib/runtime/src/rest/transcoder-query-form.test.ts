import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import type { Implementation, RawHandler } from '../rpc/implementation.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';

const { services } = compileContract({
  'test.v1': `
    service Parts {
      rpc List(Request) returns (Page) {
        option (google.api.http) = {
          get: "/things/{id}/parts"
          response_body: "parts"
          additional_bindings { post: "/things/{id}/parts/query" body: "*" }
        };
        option (survey.options.v1.access) = { permission: "things:read" };
        option idempotency_level = NO_SIDE_EFFECTS;
      }
      rpc Export(Request) returns (Nothing) {
        option (google.api.http) = {
          get: "/things/{id}/parts/export"
          additional_bindings { post: "/things/{id}/parts/export/query" body: "*" }
        };
        option (survey.options.v1.access) = { permission: "things:read" };
        option (survey.options.v1.raw) = true;
        option idempotency_level = NO_SIDE_EFFECTS;
      }
    }
    message Request {
      string id = 1;
      google.protobuf.Struct where = 2;
      int32 limit = 3 [(buf.validate.field).int32.lte = 10];
      repeated string tags = 4 [(buf.validate.field).repeated.items.string.max_len = 2];
      string cursor = 5;
    }
    message Page { repeated string parts = 1; string next_cursor = 2; int32 scanned = 3; }
    message Nothing {}
  `,
});
const [service] = services;
if (service === undefined) throw new Error('no service');

// Messages of a contract that is compiled at runtime have no types.
interface Request {
  readonly id: string;
  readonly where?: { readonly conditions?: unknown };
  readonly limit: number;
  readonly tags: readonly string[];
  readonly cursor: string;
}

/** The messages that handlers have got. */
const received: Request[] = [];
let exportTimeout: number | undefined;

function check(message: Request): void {
  received.push(message);
  if (message.where?.conditions !== 'wrong') return;
  const errors = [{ path: '/where/conditions', code: 'WRONG_TYPE', detail: 'must be a list' }];
  throw new AppError('INVALID_REQUEST', { errors });
}

const exportParts: RawHandler = async (message, _context, { response }) => {
  check(message as unknown as Request);
  exportTimeout = response.socket?.timeout;
  response.setHeader('content-type', 'text/csv');
  await pipeline(['a,b\n'], response);
  return undefined;
};

const implementation: Implementation = {
  service,
  handlers: {
    list(message: Request, { responseHeader }: { readonly responseHeader: Headers }) {
      check(message);
      responseHeader.set('etag', '"1"');
      return { parts: ['a', 'b'], nextCursor: 'c2', scanned: 7 };
    },
  },
  rawHandlers: { export: exportParts },
};

let server: RestServer;
beforeAll(async () => {
  server = await serveRest([implementation]);
});
afterAll(() => server.close());

const LIST = '/v1/things/t/parts';
const where = { match: 'all', conditions: [{ source_question: 'q', value: [1, null, { a: 'ü' }] }] };
const inUrl = (value: unknown) => `where=${encodeURIComponent(JSON.stringify(value))}`;
const get = (query: string, path = LIST) => server.call('GET', `${path}?${query}`, { token: 'reader.x.x' });
const post = (body: unknown, path = LIST) =>
  server.call('POST', `${path}/query`, { token: 'reader.x.x', body: JSON.stringify(body) });

const byGet = (value: unknown, path = LIST) => get(inUrl(value), path);
const byPost = (value: unknown, path = LIST) => post({ where: value }, path);
const byBoth = [
  ['GET', byGet, '?'],
  ['POST', byPost, '/'],
] as const;

describe('a read with a query form', () => {
  it.each([LIST, `${LIST}/export`])('gives its handler the same message in both forms, at %s', async (path) => {
    received.length = 0;
    const list = { limit: 3, tags: ['x', 'y'], cursor: 'c1' };
    expect((await get(`${inUrl(where)}&limit=3&tags=x&tags=y&cursor=c1`, path)).status).toBe(200);
    expect((await post({ where, ...list }, path)).status).toBe(200);
    expect(received).toMatchObject([
      { id: 't', where, ...list },
      { id: 't', where, ...list },
    ]);
    expect(received[0]).toEqual(received[1]);
  });

  it('replies with the list and a link, and in its query form with the whole message', async () => {
    const [inList, whole] = [await byGet(where), await byPost(where)];
    expect([inList.status, inList.json]).toEqual([200, ['a', 'b']]);
    const next = /^<([^>]*)>; rel="next"$/.exec(inList.headers.get('link') ?? '')?.[1] ?? '';
    const params = new URL(next, 'http://gateway').searchParams;
    expect([JSON.parse(params.get('where') ?? ''), params.get('cursor')]).toEqual([where, 'c2']);
    expect([whole.status, whole.json]).toEqual([200, { parts: ['a', 'b'], next_cursor: 'c2', scanned: 7 }]);
    expect([whole.headers.has('link'), whole.headers.get('cache-control')]).toEqual([false, 'no-store']);
  });

  it('takes an empty body as no parameters', async () => {
    expect((await server.call('POST', `${LIST}/query`, { token: 'reader.x.x' })).status).toBe(200);
    expect(received.at(-1)).toMatchObject({ id: 't', limit: 0, tags: [] });
  });

  it.each(byBoth)('reports problems in an object with their place, in a %s', async (_method, send, start) => {
    for (const path of [LIST, `${LIST}/export`]) {
      const ofHandler = await send({ conditions: 'wrong' }, path);
      const [problem] = ofHandler.json.errors;
      expect([ofHandler.status, problem.path]).toEqual([400, `${start}where/conditions`]);
      const malformed = await send({ a: ['\ud800'] }, path);
      expect([malformed.status, malformed.json.errors[0].path]).toEqual([400, `${start}where/a/0`]);
    }
    expect((await send([])).json.errors).toMatchObject([{ path: `${start}where`, code: 'WRONG_TYPE' }]);
  });

  it('reports broken rules as other operations with and without a body', async () => {
    const inQuery = await get('limit=11&tags=ok&tags=long');
    expect([inQuery.status, inQuery.json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(inQuery.json.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['?limit', '?tags']);
    const inBody = await post({ limit: 11, tags: ['ok', 'long'] });
    expect([inBody.status, inBody.json.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(inBody.json.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['/limit', '/tags/1']);
  });

  it('names the query form if an object is too long for the query', async () => {
    const long = { text: 'x'.repeat(4_090) };
    const { status, json } = await byGet(long);
    expect([status, json.errors]).toMatchObject([400, [{ path: '?where', code: 'TOO_LONG' }]]);
    expect(json.errors[0].detail).toContain('POST /v1/things/{id}/parts/query');
    expect((await byPost(long)).status).toBe(200);
  });

  it.each([
    ['a parameter in the query', `${LIST}/query?limit=1`, '{}', 400],
    ['the id of the path in the body', `${LIST}/query`, '{"id":"t"}', 400],
    ['an unknown member', `${LIST}/query`, '{"nope":1}', 400],
    ['no object', `${LIST}/query`, '[]', 400],
    ['malformed JSON', `${LIST}/export/query`, '{"where":', 400],
  ])('rejects %s', async (_case, path, body, status) => {
    expect((await server.call('POST', path, { token: 'reader.x.x', body })).status).toBe(status);
  });

  it('needs the same permission in both forms, a JSON body, and accepts JSON', async () => {
    const path = `${LIST}/query`;
    expect((await server.call('POST', path, { body: '{}' })).status).toBe(401);
    const send = (headers: Record<string, string>) =>
      server.call('POST', path, { token: 'reader.x.x', body: '{}', headers });
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send({ accept: 'text/csv' })).status).toBe(406);
  });

  it('is never 304 in its query form, which has no HEAD', async () => {
    const headers = { 'if-none-match': '"1"' };
    const call = (method: string, path: string) =>
      server.call(method, path, { token: 'reader.x.x', headers, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect((await call('GET', LIST)).status).toBe(304);
    expect((await call('POST', `${LIST}/query`)).status).toBe(200);
    for (const method of ['HEAD', 'GET', 'OPTIONS']) {
      const { status, headers: replied } = await call(method, `${LIST}/query`);
      expect([status, replied.get('allow')]).toEqual([method === 'OPTIONS' ? 204 : 405, 'POST, OPTIONS']);
    }
  });

  it.each(byBoth)('that is raw may be silent for as long as its caller waits, in a %s', async (_method, send) => {
    exportTimeout = undefined;
    const { status, text, headers } = await send(where, `${LIST}/export`);
    expect([status, text, headers.get('cache-control')]).toEqual([200, 'a,b\n', 'no-store']);
    expect(exportTimeout).toBe(0);
  });
});
