import { expect, it } from 'vitest';
import { findDifferences } from './differences.ts';

it.each([
  ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['a changed member', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ path: '/b', before: 2, after: 3 }]],
  ['a new member', {}, { 'a/b~c': 1 }, [{ path: '/a~1b~0c', before: undefined, after: 1 }]],
  ['an inherited name', {}, { constructor: 1 }, [{ path: '/constructor', before: undefined, after: 1 }]],
  ['another type', { a: [] }, { a: {} }, [{ path: '/a', before: [], after: {} }]],
  [
    'items without ids',
    ['a', 'b'],
    ['a', 'c', 'd'],
    [
      { path: '/1', before: 'b', after: 'c' },
      { path: '/2', before: undefined, after: 'd' },
    ],
  ],
  [
    'a new item before others',
    [{ id: 'a' }, { id: 'b' }],
    [{ id: 'n' }, { id: 'a' }, { id: 'b' }],
    [{ path: '/0', before: undefined, after: { id: 'n' } }],
  ],
  [
    'a changed and a removed item',
    [{ id: 'a' }, { id: 'b', t: 1 }],
    [{ id: 'b', t: 2 }],
    [
      { path: '/0', before: { id: 'a' }, after: undefined },
      { oldPath: '/1/t', path: '/0/t', before: 1, after: 2 },
    ],
  ],
  [
    'another order',
    [{ id: 'a' }, { id: 'b' }],
    [{ id: 'b' }, { id: 'a' }],
    [{ path: ' (order)', before: ['a', 'b'], after: ['b', 'a'] }],
  ],
])('finds the differences of %s', (_case, before, after, differences) => {
  expect(findDifferences(before, after)).toEqual(differences.map((one) => ({ oldPath: one.path, ...one })));
});
