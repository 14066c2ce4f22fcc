import { describe, expect, it } from 'vitest';
import { parseJsonObject } from './token-format.ts';

const parse = (text: string) => parseJsonObject(Buffer.from(text));

describe('parseJsonObject', () => {
  it('returns the object', () => {
    expect(parse('{"a":{"b":[{"b":1},{"b":2}]},"b":"\\"c\\":"}')).toEqual({
      a: { b: [{ b: 1 }, { b: 2 }] },
      b: '"c":',
    });
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[{"b":1,"b":2}]}',
    '{ "a" : 1 , "b" : "}" , "a" : 1 }',
    '{"a\\"":1,"a\\"":2}',
  ])('reports a duplicate name in %s', (text) => {
    expect(parse(text)).toBe('duplicate');
  });

  it.each(['', '[]', 'null', '"a"', '1', '{"a":1', '{"a":1}{}', '\ufeff{}', '{"__proto__":1}', '{"exp":1e999}'])(
    'rejects %j',
    (text) => {
      expect(parse(text)).toBe('malformed');
    },
  );

  it('rejects bytes that are not UTF-8', () => {
    expect(parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('malformed');
  });
});
