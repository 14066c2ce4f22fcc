import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createCall } from './call.ts';
import { createClient, createResource } from './create-client.ts';
import type { Operation } from './operation.ts';
import type { ClientOptions } from './options.ts';
import type { Pages } from './pages.ts';
import { readNdjson } from './read-ndjson.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const problem = (status: number, members: object, headers: Record<string, string> = {}): Answer =>
  json({ status, ...members }, status, { 'content-type': 'application/problem+json', ...headers });
/** Closes the connection without a reply. */
const lost: Answer = (response) => response.socket?.destroy();
/** Closes the connection in the middle of the reply. */
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.socket?.destroy());
};
/** Asks for a repeat immediately. */
const busy = problem(503, { code: 'UNAVAILABLE', detail: 'try again' }, { 'retry-after': '0' });

const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en'],
    pages: [{ questions: [{ id: 'taste', type: 'rating' as const, title: 'How was it?' }] }],
  },
};

const closing: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

/** A server that gives these answers, one for each request, and a client. */
async function start(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      const answer = answers[received.length - 1] ?? problem(500, { code: 'INTERNAL', detail: 'one request too many' });
      answer(response, one);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, token: 'svk_test', ...options }), received, baseUrl };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'of %i is an error that names its target, which gets no request',
    async (status) => {
      const other = await start([]);
      const answer: Answer = (response) => response.writeHead(status, { location: `${other.baseUrl}/x?y` }).end();
      const { client, received } = await start([answer, answer, answer, answer]);
      const message = expect.stringContaining(`redirects to ${other.baseUrl};`);
      const calls = [
        () => client.respondents.getLink('slug', {}, { linkPassword: 'secret' }),
        () => client.respondents.getResponse('r', { resumeToken: 'secret' }),
        () => client.respondents.submitResponse('s', { status: 'completed', data: {} }),
        () => client.surveys.get('s'),
      ];
      for (const call of calls) {
        expect(await failureOf(call())).toMatchObject({ code: 'UNEXPECTED_REPLY', status, message });
      }
      expect([received.length, other.received.length]).toEqual([calls.length, 0]);
    },
  );

  it('in a browser, which hides it, is not repeated', async () => {
    const send = vi.fn(
      async () => ({ type: 'opaqueredirect', status: 0, ok: false, headers: new Headers() }) as Response,
    );
    const { client } = await start([], { fetch: send });
    const error = await failureOf(client.respondents.getLink('slug', {}, { linkPassword: 'secret' }));
    expect(error).toMatchObject({ code: 'UNEXPECTED_REPLY', status: 0 });
    expect(send.mock.calls).toMatchObject([[expect.any(String), { redirect: 'manual' }]]);
  });
});

describe('a call', () => {
  it('sends path, body, query and headers', async () => {
    const { client, received } = await start([json({ id: 's1' }), json({ id: 's1' })]);
    const replaced = await client.surveys.replace('a/b', definition, { draft: true }, { ifMatch: '"3"' });
    expect(replaced).toEqual({ id: 's1' });
    await client.surveys.update('s1', { settings: { response_limit: null } });
    expect(received).toMatchObject([
      {
        method: 'PUT',
        url: '/v1/surveys/a%2Fb?draft=true',
        headers: { authorization: 'Bearer svk_test', 'if-match': '"3"', 'content-type': 'application/json' },
        body: JSON.stringify(definition),
      },
      { method: 'PATCH', url: '/v1/surveys/s1', body: '{"settings":{"response_limit":null}}' },
    ]);
  });

  it('repeats the parameter for each item of a list', async () => {
    const { client, received } = await start([json([])]);
    await client.responses.listCounts({ survey_ids: ['s1', 's,2'] });
    expect(received[0]?.url).toBe('/v1/response-counts?survey_ids=s1&survey_ids=s%2C2');
  });

  it('sends no body to actions', async () => {
    const { client, received } = await start([json({ id: 's1' })]);
    await client.surveys.publish('s1');
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v1/surveys/s1/publish', body: '' });
    expect(received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('gives the HTTP response on request', async () => {
    const { client } = await start([json({ id: 's1' }, 200, { etag: '"7"' })]);
    const { data, response } = await client.surveys.get('s1').withResponse();
    expect([data.id, response.headers.get('etag')]).toEqual(['s1', '"7"']);
  });

  it('asks for a token at each attempt, and sends none with operations for respondents', async () => {
    const tokens = ['first', 'second'];
    const token = async () => tokens.shift() ?? '';
    const { client, received } = await start([busy, json({}), json({})], { token });
    await client.surveys.get('s1');
    await client.respondents.getSurvey('s1');
    const sent = received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer first', 'Bearer second', undefined]);
  });

  it.each(['', '.', '..', undefined])('rejects the id %j before it sends anything', async (id) => {
    const { client, received } = await start([]);
    await expect(client.surveys.delete(id as string)).rejects.toThrow('survey_id is missing');
    expect(received).toEqual([]);
  });

  it('needs an absolute address', () => {
    expect(() => createClient({ baseUrl: 'surveys.example.com' })).toThrow('baseUrl must begin with https://');
  });
});

describe('a list', () => {
  const link = (cursor: string) => ({ link: `</v1/surveys?limit=2&cursor=${cursor}>; rel="next"` });
  const pages = [json([{ id: 1 }, { id: 2 }], 200, link('c1')), json([{ id: 3 }], 200, link('c2')), json([])];

  it('iterates over the items of all pages', async () => {
    const { client, received } = await start(pages);
    const ids: unknown[] = [];
    for await (const { id } of client.surveys.list({ limit: 2, status: 'active' })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(received.map(({ url }) => url)).toEqual([
      '/v1/surveys?limit=2&status=active',
      '/v1/surveys?limit=2&status=active&cursor=c1',
      '/v1/surveys?limit=2&status=active&cursor=c2',
    ]);
  });

  it('requests a page only when it is needed', async () => {
    const { client, received } = await start(pages);
    for await (const { id } of client.surveys.list()) if (String(id) === '2') break;
    expect(received).toHaveLength(1);
  });

  it('gives one page with the cursor of the next', async () => {
    const { client } = await start(pages);
    expect(await client.surveys.list().page()).toEqual({ items: [{ id: 1 }, { id: 2 }], nextCursor: 'c1' });
    const sizes: number[] = [];
    for await (const { items } of client.surveys.list({ cursor: 'c1' }).pages()) sizes.push(items.length);
    expect(sizes).toEqual([1, 0]);
  });
});

describe('a read with a query form', () => {
  const path = '/v1/surveys/{survey_id}/parts';
  const table: Record<string, Operation> = {
    list: { method: 'GET', path, reply: 'pages', query: true },
    listByQuery: {
      ...{
        method: 'POST',
        path: `${path}/query`,
        reply: 'pages',
        items: 'parts',
        json: 'application/json',
        safe: true,
      },
    },
  };
  const where = { match: 'all', conditions: [{ value: 'a&b' }] };
  const pages = [
    { parts: [1, 2], next_cursor: 'c1' },
    { parts: [], next_cursor: 'c2' },
    { parts: [3], next_cursor: '' },
  ];

  async function startTable(answers: readonly Answer[]) {
    const { baseUrl, received } = await start(answers);
    const call = createCall({ baseUrl, token: 'svk_test' });
    // The table above has these methods.
    type Method = (surveyId: string, values?: object) => Pages<number>;
    return { resource: createResource(table, call) as Record<'list' | 'listByQuery', Method>, received };
  }

  it('sends an object in the query as JSON', async () => {
    const { resource, received } = await startTable([json([])]);
    await resource.list('s1', { where, limit: 2 }).page();
    const { pathname, searchParams } = new URL(received[0]?.url ?? '', 'http://gateway');
    expect(pathname).toBe('/v1/surveys/s1/parts');
    expect([JSON.parse(searchParams.get('where') ?? ''), searchParams.get('limit')]).toEqual([where, '2']);
  });

  it('iterates over all pages of its query form, whose bodies have the cursors', async () => {
    const { resource, received } = await startTable(pages.map((page) => json(page)));
    expect(await Array.fromAsync(resource.listByQuery('s1', { where }))).toEqual([1, 2, 3]);
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from(pages, () => 'POST /v1/surveys/s1/parts/query'),
    );
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      { where },
      { where, cursor: 'c1' },
      { where, cursor: 'c2' },
    ]);
  });

  it('gives one page of its query form, also without parameters', async () => {
    const { resource, received } = await startTable([json(pages[0]), json(pages[2])]);
    expect(await resource.listByQuery('s1').page()).toEqual({ items: [1, 2], nextCursor: 'c1' });
    expect(await resource.listByQuery('s1', { cursor: 'c2' }).page()).toEqual({ items: [3], nextCursor: undefined });
    expect(received.map(({ body }) => body)).toEqual(['{}', '{"cursor":"c2"}']);
  });

  it.each([
    ['a lost connection', lost],
    ['a cut reply', cut],
    ['a reply of a broken proxy', problem(504, { code: 'DEADLINE_EXCEEDED', detail: 'late' })],
  ])('repeats its query form after %s, without an idempotency key', async (_case, failure) => {
    const { resource, received } = await startTable([failure, json(pages[2])]);
    expect((await resource.listByQuery('s1', { where }).page()).items).toEqual([3]);
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });
});

describe('a repeated request', () => {
  it.each([
    ['503', busy],
    ['429', problem(429, { code: 'TOO_MANY_REQUESTS', detail: 'too many' }, { 'retry-after': '0' })],
    ['a lost connection', lost],
    ['a cut reply', cut],
    ['a reply of a broken proxy', problem(504, { code: 'DEADLINE_EXCEEDED', detail: 'late' })],
  ])('after %s has the same random idempotency key', async (_case, failure) => {
    const { client, received } = await start([failure, json({ id: 's1' }, 201)]);
    await expect(client.surveys.create(definition)).resolves.toEqual({ id: 's1' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(received[1]?.body).toBe(JSON.stringify(definition));
  });

  it('has another key for another call, or that of the caller', async () => {
    const { client, received } = await start([json({}), json({}), json({})]);
    await client.projects.create({ name: 'a' });
    await client.projects.create({ name: 'a' });
    await client.projects.create({ name: 'a' }, { idempotencyKey: 'mine' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('after no reply in time', async () => {
    // On a busy machine, later attempts can be late too.
    const { client, received } = await start([() => undefined, ...Array.from({ length: 4 }, () => json({ id: 's1' }))]);
    await expect(client.surveys.get('s1', { timeoutMs: 500 })).resolves.toEqual({ id: 's1' });
    expect(received.length).toBeGreaterThan(1);
  });

  it('is not sent if the action may be done already and has no key', async () => {
    const { client, received } = await start([lost]);
    await expect(client.surveys.publish('s1')).rejects.toMatchObject({ code: 'CONNECTION_LOST', status: 0 });
    expect(received).toHaveLength(1);
  });

  it('is not sent if it names the revision that it changes', async () => {
    const { client, received } = await start([lost, lost, json({ id: 'p1' })]);
    const named = client.projects.update('p1', { name: 'b' }, { ifMatch: '"1"' });
    await expect(named).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(client.projects.update('p1', { name: 'b' })).resolves.toEqual({ id: 'p1' });
    expect(received).toHaveLength(3);
  });

  it('is a success if the first one has deleted the record', async () => {
    const gone = problem(404, { code: 'SURVEY_NOT_FOUND', detail: 'Survey not found' });
    const tooMany = problem(429, { code: 'TOO_MANY_REQUESTS', detail: 'too many' }, { 'retry-after': '0' });
    const { client } = await start([lost, tooMany, gone, busy, gone, gone, tooMany, gone]);
    await expect(client.surveys.delete('s1')).resolves.toBeUndefined();
    await expect(client.surveys.delete('s1')).resolves.toBeUndefined();
    await expect(client.surveys.delete('s1')).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    await expect(client.surveys.delete('s1')).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
  });

  it('is sent at most as often as allowed', async () => {
    const { client, received } = await start([busy, busy, busy], { maxRetries: 1 });
    await expect(client.surveys.get('s1')).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(2);
    await expect(client.surveys.get('s1', { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(3);
  });
});

describe('an error', () => {
  it('has code, status, fields and request id', async () => {
    const errors = [{ path: '/data/came', code: 'UNKNOWN_OPTION', detail: 'no such option' }];
    const members = { code: 'INVALID_ANSWERS', detail: 'Answers are invalid', request_id: 'r1', errors };
    const { client } = await start([problem(422, members)]);
    const error = await failureOf(client.responses.create('s1', { data: {} }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      ...{ name: 'ApiError', message: 'Answers are invalid', code: 'INVALID_ANSWERS' },
      ...{ status: 422, errors, requestId: 'r1' },
    });
  });

  it('of something that is not the platform is an unexpected reply', async () => {
    const page: Answer = (response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<p>Log in</p>');
    const ok: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
    const { client } = await start([page, ok]);
    await expect(client.surveys.get('s1')).rejects.toMatchObject({ code: 'UNEXPECTED_REPLY', status: 403, errors: [] });
    await expect(client.surveys.get('s1')).rejects.toMatchObject({ code: 'UNEXPECTED_REPLY', status: 200 });
  });

  it('without a reply is a lost connection or a timeout', async () => {
    const { client } = await start([lost, () => undefined], { maxRetries: 0 });
    await expect(client.surveys.get('s1')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(client.surveys.get('s1', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    await expect(nobody.surveys.get('s1')).rejects.toMatchObject({ code: 'CONNECTION_LOST', status: 0 });
  });

  it('is the reason of the caller who aborts', async () => {
    const caller = new AbortController();
    const { client, received } = await start([() => caller.abort(new Error('not needed'))]);
    await expect(client.surveys.get('s1', { signal: caller.signal })).rejects.toThrow('not needed');
    await expect(client.surveys.get('s1', { signal: caller.signal })).rejects.toThrow('not needed');
    expect(received).toHaveLength(1);
  });

  it('of withResponse() alone is handled', async () => {
    const { client } = await start([problem(404, { code: 'SURVEY_NOT_FOUND', detail: 'Survey not found' })]);
    await expect(client.surveys.get('s1').withResponse()).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
  });
});

describe('a download', () => {
  it('is streamed', async () => {
    const answer: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const bytes = Buffer.from('{"a":"ë"}\n{"a":"😀"}\n{"a":3}');
      // Chunks end within characters and lines.
      for (let index = 0; index < bytes.length; index += 3) response.write(bytes.subarray(index, index + 3));
      response.end();
    };
    const { client } = await start([answer]);
    const rows: unknown[] = [];
    for await (const row of readNdjson(await client.responses.export('s1', { format: 'ndjson' }))) rows.push(row);
    expect(rows).toEqual([{ a: 'ë' }, { a: '😀' }, { a: 3 }]);
  });

  it('that is cut is an error, not a short file', async () => {
    const answer: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"a":1}\n', () => response.socket?.destroy());
    };
    const { client } = await start([answer]);
    const response = await client.responses.export('s1', { format: 'ndjson' });
    const read = async () => {
      for await (const row of readNdjson(response)) expect(row).toEqual({ a: 1 });
    };
    await expect(read()).rejects.toThrow();
  });

  it('can take longer than the time limit of its beginning', async () => {
    vi.useFakeTimers();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    let signal: AbortSignal | null | undefined;
    const client = createClient({
      baseUrl: 'http://gateway',
      fetch: async (_url, init) => {
        signal = init?.signal;
        return new Response(readable);
      },
    });
    const response = await client.responses.export('s1', {}, { timeoutMs: 1000 });
    vi.advanceTimersByTime(60_000);
    const writer = writable.getWriter();
    void writer.write(new TextEncoder().encode('a\n')).then(() => writer.close());
    expect(await response.text()).toBe('a\n');
    expect(signal?.aborted).toBe(false);
  });
});

describe('an upload', () => {
  const query = { question_id: 'q1' };
  const expected = { method: 'POST', body: 'content' };

  it.each([
    ['a file', new File(['content'], 'a b.txt', { type: 'text/plain' }), 'text/plain', '&filename=a+b.txt'],
    ['bytes', new TextEncoder().encode('content'), 'application/octet-stream', ''],
    ['a text', 'content', 'application/octet-stream', ''],
  ])('of %s is repeated', async (_case, file, type, name) => {
    const { client, received } = await start([busy, json({ id: 'f1' }, 201)]);
    await expect(client.respondents.uploadFile('s1', file, query)).resolves.toEqual({ id: 'f1' });
    expect(received[1]).toMatchObject({ ...expected, headers: { 'content-type': type } });
    expect(received[1]?.url.split('?')[1]?.split('&').sort().join('&')).toBe(
      `${name.slice(1)}${name && '&'}question_id=q1`,
    );
  });

  it('has the name of the file only where it is a parameter', async () => {
    const { client, received } = await start([json({ id: 'i1' }, 202), json({ id: 'i2' }, 202)]);
    const file = new File(['content'], 'lunch.csv');
    await client.imports.importSurvey(file, { source: 'custom', format: 'csv' });
    await client.imports.importResponses('s1', file, { format: 'csv' });
    expect(received.map(({ url }) => new URL(url, 'http://gateway').searchParams.get('filename'))).toEqual([
      'lunch.csv',
      null,
    ]);
  });

  it('of a stream is sent once', async () => {
    const { client, received } = await start([busy]);
    const stream = new Blob(['content']).stream();
    await expect(client.respondents.uploadFile('s1', stream, query)).rejects.toMatchObject({ status: 503 });
    expect(received).toMatchObject([expected]);
  });

  it('of a JSON file is not read as a JSON body', async () => {
    const { client, received } = await start([json({ id: 's1' }, 201), json({ id: 's1' }, 201)]);
    await client.imports.importSurvey(new Blob(['{}'], { type: 'application/json' }), {
      source: 'custom',
      format: 'json',
    });
    await client.imports.importSurvey({ source: 'custom', format: 'json', data: {} });
    const types = received.map(({ headers }) => headers['content-type']);
    expect(types).toEqual(['application/octet-stream', 'application/json']);
  });
});
