import type { JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOptionIdLookup } from './answers.ts';
import { isSameValue } from './logic.ts';

const VALUES: readonly JsonValue[] = [
  ...['a', 'A ', ' a', 'true', 'TRUE', ' true', 'false', '0', '1', '01', '1.0', ' 1 ', '', ' ', 'x'],
  ...[0, 1, -0, 2, 1.5, true, false],
  { a: 1 },
  ['a'],
];

describe('ids of options', () => {
  it('are those of the same value, or else of the first equal one', () => {
    const value = fc.constantFrom(...VALUES);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), value, (values, wanted) => {
        const options = values.map((one, position) => ({ id: `o${position}`, value: one }));
        const equal = (one: JsonValue) =>
          isSameValue(one, wanted) || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(wanted));
        const found = options.find((one) => one.value === wanted) ?? options.find((one) => equal(one.value));
        const unknown = typeof wanted === 'object' ? JSON.stringify(wanted) : String(wanted);
        expect(createOptionIdLookup(options)(wanted)).toBe(found?.id ?? unknown);
      }),
    );
  });

  it('are found without reading the options again', () => {
    let reads = 0;
    const options = Array.from({ length: 100 }, (_, position) => ({
      id: `o${position}`,
      get value() {
        reads += 1;
        return `v${position}`;
      },
    }));
    const idOf = createOptionIdLookup(options);
    const before = reads;
    for (let index = 0; index < 100; index += 1) expect(idOf(`V${index} `)).toBe(`o${index}`);
    expect(idOf('unknown')).toBe('unknown');
    expect(reads).toBe(before);
  });
});
