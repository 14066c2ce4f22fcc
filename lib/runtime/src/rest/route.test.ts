import { create } from '@bufbuild/protobuf';
import { catalog } from '@survey/proto/catalog';
import { HttpRuleSchema } from '@survey/proto/google/api/http_pb';
import { describe, expect, it } from 'vitest';
import { compileContract } from '../testing/rpc/compile-contract.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { routesOf } from './route.ts';

type Rule = NonNullable<Parameters<typeof createTestService>[0][number]['http']>;

const get = (path: string): Rule => ({ pattern: { case: 'get', value: path } });
const routesFor = (...rules: Rule[]) =>
  routesOf([createTestService(rules.map((http, index) => ({ name: `Call${index}`, http, access: anyone })))]);

describe('routesOf', () => {
  it('reads every route of the contract', () => {
    const templates = routesOf(Object.values(catalog).flat()).map(
      ({ httpMethod, template }) => `${httpMethod} ${template}`,
    );
    expect(templates).toContain('POST /v1/surveys');
    expect(templates).toContain('GET /v1/surveys/{survey_id}/responses/count');
    expect(new Set(templates).size).toBe(templates.length);
  });

  it('binds all other fields to the query', () => {
    const [route] = routesFor(get('/things/{id}'));
    expect([...(route?.query.keys() ?? [])]).toEqual(['other', 'tags', 'count']);
  });

  const unsupported: readonly (readonly [string, Rule, string])[] = [
    ['a custom method', { pattern: { case: 'custom', value: { kind: 'HEAD', path: '/x' } } }, 'only get, post'],
    [
      'additional bindings',
      { ...get('/x'), additionalBindings: [create(HttpRuleSchema, get('/y'))] },
      'additional_bindings',
    ],
    ['a pattern of several segments', get('/x/{id=**}'), "'{id=**}' is not supported"],
    ['a wildcard', get('/x/*'), "'*' is not supported"],
    ['a verb', get('/x/{id}:do'), 'is not supported'],
    ['upper case', get('/Things'), 'is not supported'],
    ['a path without a slash', get('things'), 'does not begin with a slash'],
    ['an empty segment', get('/x//y'), 'is not supported'],
    ['a path field that does not exist', get('/x/{nope}'), 'Request has no field nope'],
    ['a path field that is no string', get('/x/{count}'), 'count is in the path, but not a string'],
    ['a field bound twice', get('/x/{id}/{id}'), 'bound twice'],
    ['a body on get', { ...get('/x'), body: '*' }, 'a get cannot have a body'],
    ['a body field that does not exist', { pattern: { case: 'post', value: '/x' }, body: 'nope' }, 'has no field nope'],
    ['a response field that does not exist', { ...get('/x'), responseBody: 'nope' }, 'Response has no field nope'],
  ];
  it.each(unsupported)('rejects %s', (_, rule, message) => {
    expect(() => routesFor(rule)).toThrow(message);
  });

  it.each([
    ['/x/{id}', '/x/{other}'],
    ['/a/{id}/c', '/a/b/{other}'],
    ['/x', '/x'],
  ])('rejects %s with %s as ambiguous', (a, b) => {
    expect(() => routesFor(get(a), get(b))).toThrow('are ambiguous');
  });

  it.each([
    ['/x/{id}', '/x/y'],
    ['/x/{id}/y', '/x/{other}/z'],
    ['/x', '/x/y'],
  ])('accepts %s with %s', (a, b) => {
    expect(routesFor(get(a), get(b))).toHaveLength(2);
  });

  it('rejects a query form with another route as ambiguous', () => {
    const { services } = compileContract({
      'test.v1': `
        service Things {
          rpc List(Request) returns (Response) {
            option (google.api.http) = { get: "/x" additional_bindings { post: "/x/query" body: "*" } };
            option (survey.options.v1.access) = { public: true };
            option idempotency_level = NO_SIDE_EFFECTS;
          }
          rpc Query(Request) returns (Response) {
            option (google.api.http) = { post: "/x/query" body: "*" };
            option (survey.options.v1.access) = { public: true };
          }
        }
        message Request {}
        message Response {}
      `,
    });
    expect(() => routesOf(services)).toThrow('POST /v1/x/query and /v1/x/query are ambiguous');
  });

  it('rejects an internal operation with a route, and any other without one', () => {
    const internal = { rule: { case: 'internal' as const, value: true }, callers: ['import'] };
    expect(() => routesOf([createTestService([{ name: 'A', http: get('/x'), access: internal }])])).toThrow(
      'internal and has a route',
    );
    expect(() => routesOf([createTestService([{ name: 'A', access: anyone }])])).toThrow(
      'has no route and is not internal',
    );
  });
});
