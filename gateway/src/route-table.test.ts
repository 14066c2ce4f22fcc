import { catalog } from '@survey/proto/catalog';
import { compileContract } from '@survey/runtime/testing/rpc/compile-contract';
import { anyone, createTestService } from '@survey/runtime/testing/rpc/test-contract';
import { describe, expect, it } from 'vitest';
import { createRouteTable } from './route-table.ts';

const table = createRouteTable(catalog);

describe('the route table', () => {
  it.each([
    ['GET', '/v1/me', 'identity', '/v1/me'],
    ['GET', '/api/v1/surveys?limit=1', 'survey', '/v1/surveys?limit=1'],
    ['GET', '/surveys', 'survey', '/v1/surveys'],
    ['HEAD', '/surveys?q=a', 'survey', '/v1/surveys?q=a'],
    ['POST', '/v1/surveys/import', 'import', '/v1/surveys/import'],
    ['GET', '/v1/surveys/import', 'survey', '/v1/surveys/import'],
    ['GET', '/api/v1/surveys/1/responses/count', 'response', '/v1/surveys/1/responses/count'],
    ['POST', '/v1/webhooks', 'webhook', '/v1/webhooks'],
  ])('routes %s %s to %s', (method, url, backend, target) => {
    expect(table.match(method, url)).toMatchObject({ kind: 'found', route: { backend }, target });
  });

  it.each([
    '',
    '*',
    '/',
    '/v1',
    '/v1/',
    '//v1/surveys',
    '/api/surveys',
    '/api/v1',
    '/api/api/v1/surveys',
    '/API/v1/surveys',
    '/v2/surveys',
    '/surveys/1',
    'http://elsewhere.example/v1/surveys',
    '/survey.identity.v1.PermissionService/GetPermissions',
  ])('finds nothing at %j', (url) => {
    expect(table.match('GET', url).kind).toBe('not-found');
  });

  it.each(['/v1/surveys/%', '/v1/surveys/%ff', '/api/v1/surveys/..', '/v1/surveys/%2e%2e?limit=1', '/v1/surveys/1#a'])(
    'rejects %s',
    (url) => {
      expect(() => table.match('GET', url)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    },
  );

  it.each([
    ['PUT', '/v1/me', ['GET', 'HEAD', 'OPTIONS']],
    ['POST', '/surveys', ['GET', 'HEAD', 'OPTIONS']],
    ['OPTIONS', '/surveys', ['GET', 'HEAD', 'OPTIONS']],
    ['TRACE', '/api/v1/surveys', ['GET', 'POST', 'HEAD', 'OPTIONS']],
  ])('lists the allowed methods for %s %s', (method, url, allow) => {
    expect(table.match(method, url)).toEqual({ kind: 'wrong-method', allow });
  });

  it('limits and forwards both forms of a read in the same way', () => {
    const { services } = compileContract({
      'test.v1': `
        service Things {
          rpc List(Request) returns (Page) {
            option (google.api.http) = { get: "/things" additional_bindings { post: "/things/query" body: "*" } };
            option (survey.options.v1.access) = { permission: "things:read" };
            option idempotency_level = NO_SIDE_EFFECTS;
          }
          rpc Export(Request) returns (Nothing) {
            option (google.api.http) = {
              get: "/things/export"
              additional_bindings { post: "/things/export/query" body: "*" }
            };
            option (survey.options.v1.access) = { permission: "things:export" };
            option (survey.options.v1.raw) = true;
            option idempotency_level = NO_SIDE_EFFECTS;
          }
        }
        message Request { google.protobuf.Struct where = 1; }
        message Page { string next_cursor = 1; }
        message Nothing {}
      `,
    });
    const own = createRouteTable({ things: services });
    const list = { routeClass: 'default', exchange: 'message', access: { permission: 'things:read' }, isRead: true };
    const file = { routeClass: 'heavy', exchange: 'stream', isRead: true, handlerReadsBody: false };
    expect(own.match('GET', '/v1/things?where=1')).toMatchObject({ kind: 'found', route: list });
    expect(own.match('POST', '/api/v1/things/query')).toMatchObject({
      route: { ...list, template: '/v1/things/query', httpMethod: 'POST' },
      target: '/v1/things/query',
    });
    for (const [method, path] of [
      ['GET', '/v1/things/export'],
      ['POST', '/v1/things/export/query'],
    ] as const)
      expect(own.match(method, path)).toMatchObject({ kind: 'found', route: { ...file, template: path } });
    const allow = ['POST', 'OPTIONS'];
    for (const method of ['GET', 'HEAD', 'PUT'])
      expect(own.match(method, '/v1/things/query')).toEqual({ kind: 'wrong-method', allow });
  });

  it('rejects two backends with the same route', () => {
    const service = createTestService([
      { name: 'Get', http: { pattern: { case: 'get', value: '/a/{id}' } }, access: anyone },
    ]);
    expect(() => createRouteTable({ a: [service], b: [service] })).toThrow('ambiguous');
  });
});
