import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Implementation } from '../rpc/implementation.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type RestRequest, type RestServer, serveRest } from '../testing/rpc/rest-server.ts';

const { services } = compileContract({
  'test.v1': `
    service Things {
      rpc Write(Request) returns (Response) {
        option (google.api.http) = { post: "/things/{id}" body: "*" };
        option (survey.options.v1.access) = { public: true };
        option (survey.options.v1.max_body_bytes) = 1048576;
      }
      rpc Replace(ReplaceRequest) returns (Response) {
        option (google.api.http) = { put: "/things/{id}" body: "inner" };
        option (survey.options.v1.access) = { public: true };
      }
      rpc Order(OrderRequest) returns (Response) {
        option (google.api.http) = { post: "/orders/{survey_id}" body: "*" };
        option (survey.options.v1.access) = { public: true };
      }
      rpc Read(GetRequest) returns (Response) {
        option (google.api.http) = { get: "/things/{id}" };
        option (survey.options.v1.access) = { public: true };
      }
      rpc Remove(GetRequest) returns (Response) {
        option (google.api.http) = { delete: "/things/{id}" };
        option (survey.options.v1.access) = { public: true };
        option (survey.options.v1.success_code) = 204;
      }
    }
    message GetRequest { string id = 1; }
    message ReplaceRequest { string id = 1; Inner inner = 2; }
    message Inner { string inner = 1; int32 count = 2 [(buf.validate.field).int32.lte = 9]; }
    message Request { string id = 1; Inner inner = 2; google.protobuf.Struct data = 3; }
    message OrderRequest {
      string survey_id = 1;
      string name = 2 [(buf.validate.field).string.min_len = 1];
      repeated string permissions = 3 [(buf.validate.field).repeated.min_items = 1];
      int32 max_length = 4 [(buf.validate.field).int32.gte = 1];
      optional string note = 5;
      Place place = 6 [(buf.validate.field).required = true];
      repeated string link_ids = 7;
      string user_id = 8;
    }
    message Place { string room = 1 [(buf.validate.field).string.min_len = 1]; optional int32 seat = 2; }
    message Response { string text = 1; }
  `,
});

let handled = 0;
const echo = (message: { id: string; inner?: { inner: string }; data?: unknown }) => {
  handled += 1;
  return { text: JSON.stringify({ inner: message.inner?.inner, data: message.data }) };
};
const implementations: readonly Implementation[] = services.map((service) => ({
  service,
  handlers: {
    write: echo,
    replace: echo,
    read: echo,
    remove: echo,
    order: (message: object) => ({ text: JSON.stringify(message) }),
  },
}));

let server: RestServer;
beforeAll(async () => {
  server = await serveRest(implementations);
});
beforeEach(() => {
  handled = 0;
});
afterAll(() => server.close());

const write = (options: RestRequest, method = 'POST') => server.call(method, '/v1/things/1', options);
const echoed = async (options: RestRequest, method?: string) => {
  const { json } = await write(options, method);
  return JSON.parse(json.text);
};

describe('a JSON body', () => {
  it('may be empty, like no body', async () => {
    for (const body of [undefined, '', '{}']) expect(await echoed(body === undefined ? {} : { body })).toEqual({});
    const chunked =
      'Host: a\r\nAuthorization: Bearer public.x.x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n';
    expect(await server.send(`POST /v1/things/1 HTTP/1.1\r\n${chunked}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('may begin with a byte order mark', async () => {
    expect(await echoed({ body: '\ufeff{"data":{"a":1}}' })).toEqual({ data: { a: 1 } });
  });

  it.each(['application/json', 'application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])(
    'may have the Content-Type %s',
    async (type) => {
      expect((await write({ body: '{}', headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it.each<[string, RestRequest]>([
    ['another type', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['a form', { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['no type', { body: new Uint8Array([0x7b, 0x7d]), headers: { 'content-type': '' } }],
    ['another charset', { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } }],
    ['a merge patch where there is none', { body: '{}', headers: { 'content-type': 'application/merge-patch+json' } }],
    ['a compressed body', { body: new Uint8Array(gzipSync('{}')), headers: { 'content-encoding': 'gzip' } }],
    ['a body that is said to be compressed', { body: '{}', headers: { 'content-encoding': 'identity, br' } }],
  ])('is rejected with %s', async (_, options) => {
    const { status, json } = await write(options);
    expect([status, json.code, handled]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', 0]);
  });

  it('may be declared as uncompressed', async () => {
    expect((await write({ body: '{}', headers: { 'content-encoding': 'Identity' } })).status).toBe(200);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['half an object', '{"data"'],
    ['two values', '{}{}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', new Uint8Array(Buffer.from('{}', 'utf16le'))],
    ['an array', '[]'],
    ['a text', '"{}"'],
    ['null', 'null'],
  ])('is rejected as %s', async (_, body) => {
    const { status, json } = await write({ body });
    expect([status, json.code, json.errors, handled]).toEqual([400, 'INVALID_REQUEST', undefined, 0]);
  });

  it.each([
    ['{"data":{"a":[{"b":1,"b":2}]}}', '/data/a/0/b', 'DUPLICATE_MEMBER'],
    ['{"data":{},"data":{}}', '/data', 'DUPLICATE_MEMBER'],
    ['{"data":{"__proto__":{"admin":true}}}', '/data/__proto__', 'FORBIDDEN_NAME'],
    ['{"__proto__":{}}', '/__proto__', 'FORBIDDEN_NAME'],
    ['{"data":{"a":1e400}}', '/data/a', 'NUMBER_OUT_OF_RANGE'],
    ['{"data":{"a":12345678901234567890}}', '/data/a', 'NUMBER_OUT_OF_RANGE'],
    ['{"nope":1}', '/nope', 'UNKNOWN_FIELD'],
    ['{"id":"2"}', '/id', 'UNKNOWN_FIELD'],
    ['{"data":"x"}', '/data', 'WRONG_TYPE'],
    ['{"data":{"a":"\\ud800"}}', '/data/a', 'WRONG_TYPE'],
  ])('is rejected as %s', async (body, path, code) => {
    const { status, json } = await write({ body });
    expect([status, json.errors, handled]).toEqual([400, [{ path, code, detail: expect.any(String) }], 0]);
  });

  it('is rejected when it is nested too deep, before a value is built', async () => {
    const { status, json } = await write({ body: '['.repeat(1024 * 1024) });
    expect([status, json.errors[0].code]).toEqual([400, 'TOO_DEEP']);
  });

  it('is rejected over the limit of its route', async () => {
    const { status, json } = await write({ body: JSON.stringify({ data: { a: 'x'.repeat(1024 * 1024) } }) });
    expect([status, json.code, handled]).toEqual([413, 'BODY_TOO_LARGE', 0]);
  });

  it('is rejected over the limit in chunks, without being buffered, and the caller can read the error', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer public.x.x', 'content-type': 'application/json' };
      const target = { port: server.port, path: '/v1/things/1', method: 'POST', headers };
      const request = httpRequest(target, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      for (let n = 0; n < 40; n += 1) request.write(Buffer.alloc(64 * 1024, 'x'));
      request.end();
    });
    expect(status).toBe(413);
  });

  it('that is longer than declared ends there, and the rest is not a request', async () => {
    const head =
      'Host: a\r\nAuthorization: Bearer public.x.x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    const reply = await server.send(`POST /v1/things/1 HTTP/1.1\r\n${head}\r\n{}{"data":{}}`);
    expect(reply.match(/HTTP\/1.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 400');
  });
});

describe('a body that is one field', () => {
  it('sets that field', async () => {
    expect(await echoed({ body: '{"inner":"x"}' }, 'PUT')).toEqual({ inner: 'x' });
    expect((await write({ body: 'null' }, 'PUT')).status).toBe(200);
  });

  it.each([
    ['{"inner":5}', 400, '/inner'],
    ['{"nope":5}', 400, '/nope'],
    ['{"inner":"a","inner":"b"}', 400, '/inner'],
    ['{"count":10}', 422, '/count'],
    ['[]', 400, ''],
  ])('has problems relative to the body: %s', async (body, status, path) => {
    const reply = await write({ body }, 'PUT');
    expect([reply.status, reply.json.errors[0].path]).toEqual([status, path]);
  });
});

describe('an operation without a body', () => {
  it.each(['GET', 'DELETE'])('is rejected with one: %s', async (method) => {
    const head = `${method} /v1/things/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer public.x.x\r\nConnection: close\r\n`;
    for (const body of ['Content-Length: 2\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n']) {
      expect(await server.send(head + body)).toMatch(/^HTTP\/1.1 400 .*This operation takes no body/s);
    }
    expect(handled).toBe(0);
  });

  it('accepts an empty one', async () => {
    const head = 'DELETE /v1/things/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer public.x.x\r\nConnection: close\r\n';
    expect(await server.send(`${head}Content-Length: 0\r\n\r\n`)).toMatch(/^HTTP\/1.1 204 /);
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['{"id": x}', 'line 1, column 8'],
    ['{\n  "data": {"a": 1,}\n}', 'line 2, column 19'],
    ['{\r\n\r\n  "é😀": 1', 'line 3, column 11'],
  ])('is rejected with line and column: %j', async (body, location) => {
    const { status, json } = await write({ body });
    expect([status, json.code, json.detail]).toEqual([400, 'INVALID_REQUEST', `The body is not JSON: ${location}`]);
  });
});

describe('an operation without a body in its reply', () => {
  it.each(['text/csv', '*/*;q=0'])('ignores Accept: %s, which an operation with one rejects', async (accept) => {
    const request = (method: string) => server.call(method, '/v1/things/1', { headers: { accept } });
    expect([(await request('DELETE')).status, (await request('GET')).status]).toEqual([204, 406]);
  });
});

describe('a request that lacks members', () => {
  const order = async (body: object, id = '1') => {
    const reply = await server.call('POST', `/v1/orders/${id}`, { body: JSON.stringify(body) });
    const problems = reply.json.errors?.map(
      ({ path, code, detail }: Record<string, string>) => `${path} ${code}: ${detail}`,
    );
    return { ...reply, problems };
  };
  const needed = { name: 'n', permissions: ['p'], max_length: 1, place: { room: 'r' } };

  it('is told which ones are required', async () => {
    expect(await order({ place: {}, name: null })).toMatchObject({
      status: 422,
      problems: [
        '/name REQUIRED: value is required',
        '/permissions REQUIRED: value is required',
        '/max_length REQUIRED: value is required',
        '/place/room REQUIRED: value is required',
      ],
    });
    expect((await order({ ...needed, name: '', permissions: [] })).problems).toEqual([
      expect.stringContaining('/name TOO_SHORT'),
      expect.stringContaining('/permissions TOO_FEW'),
    ]);
  });

  it('is told of its unknown members in the same reply, with the names that it may mean', async () => {
    expect(await order({ nmae: 'n', maxLength: 3, place: { rom: 'r' }, other_things: 1 })).toMatchObject({
      status: 400,
      problems: [
        '/nmae UNKNOWN_FIELD: There is no such member; did you mean "name"?',
        '/maxLength UNKNOWN_FIELD: There is no such member; did you mean "max_length"?',
        '/place/rom UNKNOWN_FIELD: There is no such member; did you mean "room"?',
        '/other_things UNKNOWN_FIELD: There is no such member',
        '/name REQUIRED: value is required',
        '/permissions REQUIRED: value is required',
        '/max_length REQUIRED: value is required',
        '/place/room REQUIRED: value is required',
      ],
    });
  });

  it('finds our ids in capitals, and keeps those of others', async () => {
    const id = '0199A1F0-3C52-7B8E-9D41-6F2E8A7B5C10';
    const { json } = await order({ ...needed, link_ids: [id, 'A'], user_id: id }, id);
    expect(JSON.parse(json.text)).toMatchObject({
      surveyId: id.toLowerCase(),
      linkIds: [id.toLowerCase(), 'A'],
      userId: id,
    });
  });
});
