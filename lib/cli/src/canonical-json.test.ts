import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';

it('is that of RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toCanonicalJson(value)).toBe(canonicalize(value));
    }),
  );
});
