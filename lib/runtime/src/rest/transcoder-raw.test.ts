import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { callOf } from '../rpc/call-context.ts';
import type { Implementation, RawHandler } from '../rpc/implementation.ts';
import { poll } from '../testing/poll.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';

const { services } = compileContract({
  'test.v1': `
    service Files {
      rpc Export(Request) returns (Nothing) {
        option (google.api.http) = { get: "/things/{id}/export" };
        option (survey.options.v1.access) = { permission: "things:read" };
        option (survey.options.v1.raw) = true;
      }
      rpc Upload(Request) returns (File) {
        option (google.api.http) = { post: "/things/{id}/files" };
        option (survey.options.v1.access) = { public: true };
        option (survey.options.v1.raw) = true;
        option (survey.options.v1.success_code) = 201;
        option (survey.options.v1.max_body_bytes) = 100000;
      }
      rpc Read(Request) returns (File) {
        option (google.api.http) = { get: "/things/{id}" };
        option (survey.options.v1.access) = { public: true };
      }
    }
    message Request {
      string id = 1 [(buf.validate.field).string.max_len = 5];
      string format = 2 [(buf.validate.field).string.in = "", (buf.validate.field).string.in = "csv", (buf.validate.field).string.in = "break", (buf.validate.field).string.in = "late", (buf.validate.field).string.in = "open"];
    }
    message File { int32 size = 1; string format = 2; }
    message Nothing {}
  `,
});
const [service] = services;
if (service === undefined) throw new Error('no service');

let gone = 0;
// Messages of a contract that is compiled at runtime have no types.
type Request = { readonly id: string; readonly format: string };

/** The timeouts of the connections while the handlers ran, in milliseconds. */
const timeouts: { export?: number | undefined; upload?: number | undefined } = {};

const exportThing: RawHandler = async (message, context, { response }) => {
  timeouts.export = response.socket?.timeout;
  const { id, format } = message as unknown as Request;
  if (format === 'break') throw new AppError('SURVEY_NOT_FOUND');
  if (format === 'open') return undefined;
  response.setHeader('content-type', 'text/csv');
  async function* rows() {
    yield `${id},${callOf(context).caller.subject}\n`;
    if (format === 'late') throw new Error('the cursor is gone');
  }
  await pipeline(Readable.from(rows()), response);
  return undefined;
};

const upload: RawHandler = async (message, { signal, responseHeader }, { response, body }) => {
  timeouts.upload = response.socket?.timeout;
  signal.addEventListener('abort', () => {
    gone += 1;
  });
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  responseHeader.set('location', '/v1/files/1');
  return { size, format: (message as unknown as Request).format };
};

const implementation: Implementation = {
  service,
  handlers: { read: () => ({}) },
  rawHandlers: { export: exportThing, upload },
};

let server: RestServer;
beforeAll(async () => {
  server = await serveRest([implementation]);
});
afterAll(() => server.close());

const bytes = { 'content-type': 'application/octet-stream' };

describe('a raw operation', () => {
  it('writes any reply, after the call is admitted and its URL is bound', async () => {
    const { status, text, headers } = await server.call('GET', '/v1/things/a%2Fb/export?format=csv', {
      token: 'reader.x.x',
      headers: { accept: 'text/csv' },
    });
    expect([status, text, headers.get('content-type')]).toEqual([200, 'a/b,u\n', 'text/csv']);
    expect([headers.get('cache-control'), headers.has('x-request-id')]).toEqual(['no-store', true]);
  });

  it('reads bytes, and replies with a message', async () => {
    const body = new Uint8Array(70_000);
    const { status, json, headers } = await server.call('POST', '/v1/things/1/files?format=csv', {
      body,
      headers: bytes,
    });
    expect([status, json, headers.get('location')]).toEqual([201, { size: 70_000, format: 'csv' }, '/v1/files/1']);
    expect((await server.call('POST', '/v1/things/1/files')).json).toEqual({ size: 0, format: '' });
  });

  it('may be silent for as long as its caller waits, unless it waits for a body', async () => {
    await server.call('GET', '/v1/things/1/export', { token: 'reader.x.x' });
    await server.call('POST', '/v1/things/1/files');
    expect(timeouts.export).toBe(0);
    expect(timeouts.upload).toBeGreaterThan(0);
  });

  it('replies to HEAD without a body', async () => {
    const { status, text } = await server.call('HEAD', '/v1/things/1/export', { token: 'reader.x.x' });
    expect([status, text]).toEqual([200, '']);
  });

  it.each<[string, string, string, string, number, string]>([
    ['no token', 'GET', '/v1/things/1/export', 'wrong.x.x', 401, 'INVALID_TOKEN'],
    ['too few permissions', 'GET', '/v1/things/1/export', 'public.x.x', 401, 'INVALID_TOKEN'],
    ['an unknown parameter', 'GET', '/v1/things/1/export?nope=1', 'reader.x.x', 400, 'INVALID_REQUEST'],
    ['a parameter against its rule', 'GET', '/v1/things/1/export?format=pdf', 'reader.x.x', 400, 'INVALID_REQUEST'],
    ['a field against its rule', 'POST', '/v1/things/123456/files', 'public.x.x', 422, 'VALIDATION_FAILED'],
    ['an error of its handler', 'GET', '/v1/things/1/export?format=break', 'reader.x.x', 404, 'SURVEY_NOT_FOUND'],
    ['a response left open', 'GET', '/v1/things/1/export?format=open', 'reader.x.x', 500, 'INTERNAL'],
    ['another method', 'PUT', '/v1/things/1/files', 'public.x.x', 405, 'METHOD_NOT_ALLOWED'],
  ])('is rejected like other operations with %s', async (_, method, path, token, status, code) => {
    const reply = await server.call(method, path, { token });
    expect([reply.status, reply.json.code, reply.headers.get('content-type')]).toEqual([
      status,
      code,
      'application/problem+json',
    ]);
  });

  it('is aborted if it fails after the reply has begun, and counts as failed', async () => {
    const head = 'GET /v1/things/1/export?format=late HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer reader.x.x\r\n\r\n';
    expect(await server.send(head)).not.toMatch(/\r\n0\r\n\r\n$/);
    await poll(() => server.logged.some(({ msg, error_code }) => msg === 'call failed' && error_code === 'INTERNAL'));
  });

  it('reads no more bytes than its limit, with or without Content-Length, and rejects compressed ones', async () => {
    const path = '/v1/things/1/files';
    const body = new Uint8Array(100_001);
    expect((await server.call('POST', path, { body, headers: bytes })).json.code).toBe('BODY_TOO_LARGE');
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer public.x.x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await server.send(head, '186a1\r\n', body, '\r\n0\r\n\r\n')).toMatch(/^HTTP\/1.1 413 /);
    const zipped = { body: new Uint8Array(9), headers: { ...bytes, 'content-encoding': 'gzip' } };
    expect((await server.call('POST', path, zipped)).status).toBe(415);
  });

  it('gets an abort signal when the caller disconnects, which is not a failure', async () => {
    const canceled = async () => (await server.codes())['Canceled'] ?? 0;
    const before = [gone, await canceled()] as const;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST /v1/things/1/files HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer public.x.x\r\nContent-Length: 9\r\n\r\nabc',
    );
    await poll(() => server.connections().then((count) => count > 0));
    socket.end();
    await poll(async () => (await canceled()) === before[1] + 1 && gone === before[0] + 1);
  });
});

describe('a service with raw operations', () => {
  const start = async (changed: Partial<Implementation>) => {
    const started = await serveRest([{ ...implementation, ...changed }]);
    await started.close();
  };

  it.each<[string, Partial<Implementation>, string]>([
    ['without the raw handler', { rawHandlers: { upload } }, 'test.v1.Files.Export needs a raw handler'],
    [
      'with another handler in its place',
      { handlers: { read: upload, export: upload }, rawHandlers: { upload } },
      'Files.Export needs',
    ],
    [
      'with a raw handler for another operation',
      { rawHandlers: { export: upload, upload, read: upload } },
      'Files.Read needs a handler that is not raw',
    ],
    ['without a handler', { handlers: {} }, 'Files.Read needs a handler'],
  ])('does not start %s', async (_, changed, message) => {
    await expect(start(changed)).rejects.toThrow(message);
  });
});
