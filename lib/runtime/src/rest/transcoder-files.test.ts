import { toJson } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import type { Implementation, RawHandler } from '../rpc/implementation.ts';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';
import { routesOf } from './route.ts';
import { createTranscoder } from './transcoder.ts';

const BRING = 'option (google.api.http) = { post: "/things/{id}/bring" body: "*" };';
const FILE = 'option (survey.options.v1.file_body) = true; option (survey.options.v1.max_body_bytes) = 1000;';
const contractOf = (http: string, more = '') =>
  compileContract({
    'test.v1': `
      service Files {
        rpc Bring(BringRequest) returns (Brought) {
          ${http} ${FILE}
          option (survey.options.v1.access) = { public: true };
        }
      }
      message BringRequest {
        string id = 1;
        string format = 2 [(buf.validate.field).string.min_len = 1];
        google.protobuf.Value data = 3 [(buf.validate.field).required = true];
        Options options = 4;
        ${more}
      }
      message Options { optional bool keep = 1; string title = 2; map<string, string> columns = 3; }
      message Brought { string body = 1; google.protobuf.Struct message = 2; }
    `,
  });
const { services, message: messageOf } = contractOf(BRING);
const [service] = services;
if (service === undefined) throw new Error('no service');

const bring: RawHandler = async (message, _context, { body }) => {
  const json = toJson(messageOf('test.v1.BringRequest'), message, { useProtoFieldName: true });
  // Messages of a contract that is compiled at runtime have no types.
  return { body: Buffer.concat(await Array.fromAsync(body)).toString(), message: json } as never;
};
const implementation: Implementation = { service, handlers: { bring: () => ({}) }, rawHandlers: { bring } };

let server: RestServer;
beforeAll(async () => {
  server = await serveRest([implementation]);
});
afterAll(() => server.close());

const send = (query: string, body = 'a,b', type = 'text/csv') =>
  server.call('POST', `/v1/things/1/bring${query}`, { body, headers: { 'content-type': type } });

describe('an operation whose body may be a file', () => {
  it('has the JSON members in its query, including those of nested messages, and leaves the body to its handler', async () => {
    const { status, json } = await send('?format=csv&keep=false&title=My%20file');
    expect([status, json]).toEqual([
      200,
      { body: 'a,b', message: { id: '1', format: 'csv', options: { keep: false, title: 'My file' } } },
    ]);
  });

  it('leaves a JSON body to its handler, which validates it', async () => {
    const { status, json } = await send('', '{"format":1}', 'application/json');
    expect([status, json]).toEqual([200, { body: '{"format":1}', message: { id: '1' } }]);
  });

  // The query decides whether the body is the file: a file can be JSON, too.
  it.each([
    ['application/json', '?title=t', ['?format', '?title', '?columns/a~1b', '/data']],
    ['text/csv', '?title=t', ['?format', '?title', '?columns/a~1b', '/data']],
    ['application/json', '', ['/format', '/options/title', '/options/columns/a~1b', '/data']],
  ])('names what its handler rejects in a body of %s with the query "%s"', async (type, query, paths) => {
    const errors = ['/format', '/options/title', '/options/columns/a~1b', '/data'].map((path) => ({
      path,
      code: 'WRONG',
      detail: '',
    }));
    const rejecting = { bring: () => Promise.reject(new AppError('INVALID_REQUEST', { errors })) };
    const strict = await serveRest([{ ...implementation, rawHandlers: rejecting }]);
    const { json } = await strict.call('POST', `/v1/things/1/bring${query}`, {
      body: '[]',
      headers: { 'content-type': type },
    });
    await strict.close();
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  it.each([
    ['?nope=1', 400],
    ['?data=1', 400],
    ['?options=1', 400],
    ['?id=2', 400],
    ['?keep=yes', 400],
    ['?format=a&format=b', 400],
  ])('rejects the query %s', async (query, status) => {
    expect((await send(query)).status).toBe(status);
  });

  it('replies in JSON only', async () => {
    const headers = { 'content-type': 'text/csv', accept: 'text/csv' };
    expect((await server.call('POST', '/v1/things/1/bring', { body: 'a,b', headers })).status).toBe(406);
  });

  it('reads no more bytes than its limit', async () => {
    expect((await send('', 'x'.repeat(1_001))).status).toBe(413);
  });

  it('needs a raw handler', () => {
    const lacking = { service, handlers: { bring: () => ({}) } };
    const pipeline = { run: () => Promise.reject(new Error('not to be called')), validate: () => {} } as never;
    expect(() => createTranscoder({ implementations: [lacking], pipeline })).toThrow('needs a raw handler');
  });

  it.each([
    ['a put', BRING.replace('post', 'put'), '', 'only a post with the body * can have a file'],
    ['a body of one field', BRING.replace('"*"', '"options"'), '', 'data cannot be a query parameter'],
    ['two fields of one name', BRING, 'string title = 5;', 'two fields named title'],
  ])('is rejected with %s', (_, http, more, problem) => {
    expect(() => routesOf(contractOf(http, more).services)).toThrow(problem);
  });
});
