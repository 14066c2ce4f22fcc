import type { JsonObject } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';

describe('toCanonicalJson', () => {
  it('does not depend on the order of members, at every depth', () => {
    const one = toCanonicalJson({ b: [{ y: 1, x: null }], a: 'é' });
    expect(one).toBe('{"a":"é","b":[{"x":null,"y":1}]}');
    expect(toCanonicalJson({ a: 'é', b: [{ x: null, y: 1 }] })).toBe(one);
  });

  it('does not depend on the order of any members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        // fast-check has a type of its own for JSON.
        const data = given as JsonObject;
        const reversed = Object.fromEntries(Object.entries(data).reverse());
        expect(toCanonicalJson(reversed)).toBe(toCanonicalJson(data));
        expect(JSON.parse(toCanonicalJson(data))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('rejects values that JSON cannot represent', () => {
    expect(() => toCanonicalJson({ a: Number.NaN })).toThrow('NaN');
    expect(() => toCanonicalJson({ a: '\ud800' })).toThrow('surrogate');
  });

  it('depends on the order of array items', () => {
    expect(toCanonicalJson({ a: [1, 2] })).not.toBe(toCanonicalJson({ a: [2, 1] }));
  });
});
