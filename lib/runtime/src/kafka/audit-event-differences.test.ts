import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPointerToken } from '../json/pointer.ts';
import { differencesOf } from './audit-event.ts';

const differences = (before: JsonObject, after: JsonObject) => [...differencesOf(before, after)];

const anyName = fc.oneof(fc.constantFrom('constructor', 'toString', 'valueOf', 'a', 'b'), fc.string());
// fast-check has a type of its own for JSON.
const anyValue = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const anyObject = fc.dictionary(anyName, anyValue);

describe('differencesOf', () => {
  it('reports removed, added and changed members in order', () => {
    const before = { gone: null, kept: [1, { x: 'y' }], list: [1, 2, 3], kind: {}, text: 'a' };
    const after = { kept: [1, { x: 'y' }], text: 'b', kind: [], list: [1, 4], fresh: false };
    expect(differences(before, after)).toEqual([
      { path: '/gone', before: null, after: undefined },
      { path: '/list/1', before: 2, after: 4 },
      { path: '/list/2', before: 3, after: undefined },
      { path: '/kind', before: {}, after: [] },
      { path: '/text', before: 'a', after: 'b' },
      { path: '/fresh', before: undefined, after: false },
    ]);
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'])(
    'reports a member named %s like any other',
    (name) => {
      const path = `/survey/${name}`;
      expect(differences({ survey: { [name]: 1 } }, { survey: {} })).toEqual([{ path, before: 1, after: undefined }]);
      expect(differences({ survey: {} }, { survey: { [name]: {} } })).toEqual([{ path, before: undefined, after: {} }]);
    },
  );

  it('finds no difference between any object and its copy', () => {
    fc.assert(fc.property(anyObject, (value) => void expect(differences(value, structuredClone(value))).toEqual([])));
  });

  it('reports every member that only one object has, with any name', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (before, after) => {
        const found = differences({ in: before }, { in: after });
        for (const [here, there, toDifference] of [
          [before, after, (value: JsonValue) => ({ before: value, after: undefined })],
          [after, before, (value: JsonValue) => ({ before: undefined, after: value })],
        ] as const) {
          for (const [name, value] of Object.entries(here)) {
            const difference = { path: `/in${toPointerToken(name)}`, ...toDifference(value) };
            if (!Object.hasOwn(there, name)) expect(found).toContainEqual(difference);
          }
        }
      }),
    );
  });

  it('handles deeply nested values', () => {
    const nested = (leaf: JsonValue) => {
      let value = leaf;
      for (let depth = 0; depth < 20_000; depth += 1) value = { a: value };
      return { a: value };
    };
    expect(differences(nested(1), nested(2))).toMatchObject([{ before: 1, after: 2 }]);
  });

  it('stops when the caller stops', () => {
    const after: JsonObject = { a: 1 };
    Object.defineProperty(after, 'b', { enumerable: true, get: () => expect.fail('was read') });
    expect(differencesOf({}, after).next().value).toMatchObject({ path: '/a' });
  });
});
