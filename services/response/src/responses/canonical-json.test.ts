import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';

describe('toCanonicalJson', () => {
  it('writes the members of objects in one order, at every depth', () => {
    expect(toCanonicalJson({ b: [{ d: 1, c: null }], a: 'é"' })).toBe('{"a":"é\\"","b":[{"c":null,"d":1}]}');
    expect(toCanonicalJson({ 2: 0, 10: 0 })).toBe(toCanonicalJson({ 10: 0, 2: 0 }));
  });

  it('keeps the order of arrays', () => {
    expect(toCanonicalJson([2, 1])).not.toBe(toCanonicalJson([1, 2]));
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(toCanonicalJson(plain))).toEqual(plain);
      }),
    );
  });
});
