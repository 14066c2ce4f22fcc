import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyone, describeService } from '../testing/test-contract.ts';
import { readQuery } from './query.ts';
import { routesOf } from './route.ts';

const [route] = routesOf([
  describeService([{ name: 'List', http: { pattern: { case: 'get', value: '/things' } }, access: anyone }]),
]);
const fields = route?.query ?? new Map();
const read = (query: string) => readQuery(query, fields);

describe('readQuery', () => {
  it('binds text, numbers and repeated parameters', () => {
    expect(read('id=a+b%26&count=-7&tags=x&tags=y&tags=')).toEqual({ id: 'a b&', count: -7, tags: ['x', 'y', ''] });
  });

  it('takes an empty query', () => {
    expect(read('')).toEqual({});
    expect(read('&&')).toEqual({});
  });

  it.each([
    'nope=1',
    'Id=1',
    '__proto__=1',
    'id=1&id=2',
    'count=1e2',
    'count=0x10',
    'count=+1',
    'count=01',
    'count=',
    'count=%201',
    'id=%',
    'id=%ff',
    '%zz=1',
  ])('refuses %s', (query) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
  });

  it('gives any text back that was encoded', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), (id, tags) => {
        const query = new URLSearchParams([
          ['id', id],
          ...tags.map((tag): [string, string] => ['tags', tag]),
        ]).toString();
        expect(read(query)).toEqual({ id, tags });
      }),
    );
  });
});
