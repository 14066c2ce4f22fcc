import fc from 'fast-check';
import { parse, v5 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { uuidOf } from './uuid-of.ts';

describe('uuidOf', () => {
  it('gives the example of RFC 9562', () => {
    expect(uuidOf(parse(v5.DNS), 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('agrees with the uuid library', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), (namespace, name) => {
        expect(uuidOf(parse(namespace), name)).toBe(v5(name, namespace));
      }),
    );
  });
});
