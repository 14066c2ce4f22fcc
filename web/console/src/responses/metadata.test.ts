import { describe, expect, it } from 'vitest';
import { diffMetadata, formatMetadata, parseMetadata } from './metadata.ts';

describe('parseMetadata', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', undefined],
    ['null', undefined],
    ['"a"', undefined],
    ['{"a":', undefined],
  ])('reads %j', (text, metadata) => {
    expect(parseMetadata(text)).toEqual(metadata);
  });

  it('reads what formatMetadata writes', () => {
    const metadata = { shop: 'Vienna', nested: { a: [1, 'x'] } };
    expect(parseMetadata(formatMetadata(metadata))).toEqual(metadata);
    expect([formatMetadata(), formatMetadata({})]).toEqual(['', '']);
  });
});

describe('diffMetadata', () => {
  it.each([
    ['nothing', { a: 1 }, { a: 1 }, undefined],
    ['another order of members', { o: { a: 1, b: 2 } }, { o: { b: 2, a: 1 } }, undefined],
    ['a changed member', { a: 1, b: 'x' }, { a: 2, b: 'x' }, { a: 2 }],
    ['a new and a removed member', { a: 1, b: 2 }, { b: 2, c: {} }, { a: null, c: {} }],
    ['a member inside', { o: { a: 1, b: 2 } }, { o: { a: 1 } }, { o: { b: null } }],
    ['another list', { l: [1, 2] }, { l: [2] }, { l: [2] }],
    ['an object in place of a text', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['everything removed', { a: 1 }, {}, null],
    ['null for a member that is absent', {}, { a: null }, undefined],
    ['no metadata before', undefined, { a: 1 }, { a: 1 }],
  ])('has %s', (_case, before, after, patch) => {
    expect(diffMetadata(before, after)).toEqual(patch);
  });

  it('compares only own members', () => {
    expect(diffMetadata({}, JSON.parse('{"__proto__":1,"toString":2}'))).toEqual(
      JSON.parse('{"__proto__":1,"toString":2}'),
    );
  });
});
