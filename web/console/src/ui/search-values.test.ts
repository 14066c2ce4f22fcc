import { describe, expect, it } from 'vitest';
import { dropInvalid, readChoice, readText, readTime, removeUndefined } from './search-values.ts';

describe('values of an address', () => {
  it('keeps valid values', () => {
    expect(readText('x')).toBe('x');
    expect(readChoice('b', ['a', 'b'])).toBe('b');
    expect(readTime('2026-01-31T12:00:00+01:00')).toBe('2026-01-31T11:00:00.000Z');
    expect(removeUndefined({ a: 0, b: undefined })).toEqual({ a: 0 });
  });

  it.each([[''], [7], [null], [undefined], [['x']], ['x'.repeat(201)]])('drops the text %j', (value) => {
    expect(readText(value)).toBeUndefined();
  });

  it.each([['2026'], ['2026-13-01T00:00:00Z'], [1], [{}], ['<script>']])('drops the time %j', (value) => {
    expect(readTime(value)).toBeUndefined();
  });

  it('drops unknown choices', () => {
    expect(readChoice('c', ['a', 'b'])).toBeUndefined();
  });
});

it('values that a reader drops do not come back when the router merges the address with them', () => {
  const validate = dropInvalid((search) => removeUndefined({ q: readText(search.q), status: readText(search.status) }));
  const address = { q: 'lunch', status: 5, other: 'x' };
  expect({ ...address, ...validate(address) }).toEqual({ q: 'lunch', status: undefined, other: undefined });
});
