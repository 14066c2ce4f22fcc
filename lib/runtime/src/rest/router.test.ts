import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { routesOf } from './route.ts';
import { createRouter } from './router.ts';

const rule = (verb: 'get' | 'post' | 'delete', value: string) => ({ pattern: { case: verb, value } }) as const;
const router = createRouter(
  routesOf([
    createTestService([
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
  it('returns decoded path parameters', () => {
    expect(found('GET', '/v1/things/a%20b%2Fc')).toEqual(['Get', { id: 'a b/c' }]);
    expect(found('POST', '/v1/things/1/parts/%C3%A9')).toEqual(['Part', { id: '1', other: 'é' }]);
  });

  it('prefers literals to fields', () => {
    expect(found('GET', '/v1/things/search')).toEqual(['Search', {}]);
    expect(found('GET', '/v1/things/searching')).toEqual(['Get', { id: 'searching' }]);
    expect(found('DELETE', '/v1/things/search')).toEqual(['Delete', { id: 'search' }]);
  });

  it('treats HEAD like GET', () => {
    expect(found('HEAD', '/v1/things/1')).toEqual(['Get', { id: '1' }]);
  });

  it('returns the methods of a path', () => {
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
    '/v1/things//',
    '//v1/things/1',
    '/V1/things/1',
    '/v1/Things/1',
    '/v1%2Fthings/1',
    `/v1/things/${'x'.repeat(257)}`,
    '*',
    '',
  ])('finds nothing at %s', (path) => {
    expect(router.match('GET', path)).toEqual({ kind: 'not-found' });
  });

  it.each([
    ['an invalid escape', '/v1/things/%zz'],
    ['half an escape', '/v1/things/%4'],
    ['a lone percent sign', '/v1/things/%'],
    ['bytes that are no UTF-8', '/v1/things/%ff'],
    ['an overlong form of a slash', '/v1/things/%c0%af'],
    ['a surrogate in UTF-8', '/v1/things/%ed%a0%80'],
    ['a NUL', '/v1/things/a%00'],
    ['raw bytes beyond ASCII', '/v1/things/\u00c3\u00a9'],
    ['a fragment', '/v1/things/1#2'],
    ['a segment of a dot', '/v1/./things'],
    ['a segment of two dots', '/v1/things/..'],
    ['two dots that are escaped', '/v1/things/%2e%2E'],
    ['a bad escape where nothing is', '/nothing/%zz'],
  ])('rejects %s', (_, path) => {
    expect(() => router.match('GET', path)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  it('keeps plus signs, and dots and slashes inside a field', () => {
    expect(found('GET', '/v1/things/a+b')).toEqual(['Get', { id: 'a+b' }]);
    expect(found('GET', '/v1/things/..%2F%2e%2e%252F')).toEqual(['Get', { id: '../..%2F' }]);
    expect(found('GET', '/v1/things/...')).toEqual(['Get', { id: '...' }]);
  });

  it('decodes any text, in every encoding that RFC 3986 allows', () => {
    const field = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => text !== '.' && text !== '..' && text.isWellFormed() && !text.includes('\0'));
    fc.assert(
      fc.property(field, field, fc.infiniteStream(fc.nat(2)), (id, other, choices) => {
        const path = `/v1/things/${spell(id, choices)}/parts/${spell(other, choices)}`;
        expect(found('POST', path)).toEqual(['Part', { id, other }]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Encodes `pchar` of RFC 3986, section 3.3, raw or escaped, in lower or upper case; escapes all others. */
function spell(text: string, choices: Iterator<number>): string {
  const escaped = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  return [...Buffer.from(text)]
    .map((byte) => {
      const [choice, char] = [choices.next().value, String.fromCharCode(byte)];
      if (choice === 0 && /[\w.~!$&'()*+,;=:@-]/.test(char)) return char;
      return choice === 1 ? escaped(byte) : escaped(byte).toUpperCase();
    })
    .join('');
}
