import { catalog } from '@survey/proto/catalog';
import { anyone, createTestService } from '@survey/runtime/testing/test-contract';
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

  it('rejects two backends with the same route', () => {
    const service = createTestService([
      { name: 'Get', http: { pattern: { case: 'get', value: '/a/{id}' } }, access: anyone },
    ]);
    expect(() => createRouteTable({ a: [service], b: [service] })).toThrow('ambiguous');
  });
});
