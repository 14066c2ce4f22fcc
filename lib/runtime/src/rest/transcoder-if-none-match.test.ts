import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Implementation } from '../rpc/implementation.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';

const http = (verb: 'get' | 'post', value: string) => ({ pattern: { case: verb, value }, body: '' }) as const;
const handle = (_: unknown, { responseHeader }: { responseHeader: Headers }) => {
  responseHeader.set('etag', 'W/"3"');
  responseHeader.set('cache-control', 'public, max-age=1');
  return { text: 'here' };
};

const implementation: Implementation = {
  service: createTestService([
    { name: 'Read', http: http('get', '/things/{id}'), access: anyone },
    { name: 'Write', http: http('post', '/things/{id}'), access: anyone },
    { name: 'List', http: http('get', '/things'), access: anyone },
  ]),
  handlers: { read: handle, write: handle, list: () => ({ text: 'here' }) },
};

let server: RestServer;
beforeAll(async () => {
  server = await serveRest([implementation]);
});
afterAll(() => server.close());

const call = (method: string, path: string, ifNoneMatch: string) =>
  server.call(method, path, { headers: { 'if-none-match': ifNoneMatch } });

describe('If-None-Match', () => {
  it.each(['"3"', 'W/"3"', '"1", W/"3"', '"1","3" , "4"', '*'])(
    'that has the tag of the record gets 304 and nothing else: %s',
    async (tags) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await call(method, '/v1/things/1', tags);
        expect([status, text]).toEqual([304, '']);
        expect([headers.get('etag'), headers.get('cache-control')]).toEqual(['W/"3"', 'public, max-age=1']);
        expect([headers.get('content-type'), headers.get('content-length')]).toEqual([null, null]);
        expect(headers.get('x-request-id')).not.toBeNull();
      }
    },
  );

  it.each(['"2"', '3', '"3', '', '""', 'nonsense'])('that does not match gets the full reply: %j', async (tags) => {
    const { status, json } = await call('GET', '/v1/things/1', tags);
    expect([status, json]).toEqual([200, { text: 'here' }]);
  });

  it('is ignored for writes, and for replies without an ETag', async () => {
    expect((await call('POST', '/v1/things/1', '*')).status).toBe(200);
    expect((await call('GET', '/v1/things', '*')).status).toBe(200);
  });
});
