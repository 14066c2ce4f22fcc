import { describe, expect, it } from 'vitest';
import { anyone, describeService } from '../testing/test-contract.ts';
import { routesOf } from './route.ts';
import { createRouter } from './router.ts';

const rule = (verb: 'get' | 'post' | 'delete', value: string) => ({ pattern: { case: verb, value } }) as const;
const router = createRouter(
  routesOf([
    describeService([
      { name: 'Get', http: rule('get', '/things/{id}'), access: anyone },
      { name: 'Delete', http: rule('delete', '/things/{id}'), access: anyone },
      { name: 'Search', http: rule('get', '/things/search'), access: anyone },
      { name: 'Part', http: rule('post', '/things/{id}/parts/{other}'), access: anyone },
    ]),
  ]),
);

function found(method: string, path: string) {
  const match = router.match(method, path);
  return match.kind === 'found' ? [match.route.method.name, match.params] : match;
}

describe('createRouter', () => {
  it('gives the fields of the path, decoded', () => {
    expect(found('GET', '/v1/things/a%20b%2Fc')).toEqual(['Get', { id: 'a b/c' }]);
    expect(found('POST', '/v1/things/1/parts/%C3%A9')).toEqual(['Part', { id: '1', other: 'é' }]);
  });

  it('prefers words to fields', () => {
    expect(found('GET', '/v1/things/search')).toEqual(['Search', {}]);
    expect(found('GET', '/v1/things/searching')).toEqual(['Get', { id: 'searching' }]);
    expect(found('DELETE', '/v1/things/search')).toEqual(['Delete', { id: 'search' }]);
  });

  it('takes HEAD for GET', () => {
    expect(found('HEAD', '/v1/things/1')).toEqual(['Get', { id: '1' }]);
  });

  it('names the methods that an address has', () => {
    expect(found('PUT', '/v1/things/1')).toEqual({ kind: 'wrong-method', allow: ['GET', 'DELETE', 'HEAD', 'OPTIONS'] });
  });

  it.each([
    '/',
    '/things/1',
    '/v1/things',
    '/v1/things/',
    '/v1/things/1/',
    'http://host/v1/things/1',
    '/v1//things/1',
    '/V1/things/1',
    '/v1/things/%',
    '/v1/things/%zz',
    '*',
    '',
  ])('finds nothing at %s', (path) => {
    expect(router.match('GET', path)).toEqual({ kind: 'not-found' });
  });
});
