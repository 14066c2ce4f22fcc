import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from './merge-patch.ts';

describe('mergePatch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: 1 }, { a: false, b: 0, c: '' }, { a: false, b: 0, c: '' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c', d: 'e' } }, { a: { b: 'd', d: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1, null] }, { a: [1, null] }],
    [['a', 'b'], { a: 1 }, { a: 1 }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{ a: 'x' }, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{ a: 1 }, ['c'], ['c']],
    [{ a: 1 }, null, null],
    [undefined, { a: { b: null } }, { a: {} }],
  ])('changes %j with %j to %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('is idempotent, and does not modify its arguments', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = structuredClone([target, patch]);
        // fast-check generates JSON, but declares its own type.
        const once = mergePatch(target as never, patch as never);
        expect(mergePatch(once, patch as never)).toEqual(once);
        expect([target, patch]).toEqual(before);
      }),
    );
  });
});
