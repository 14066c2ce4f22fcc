import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const names = ['title', 'required', 'max_length', 'min_length', 'logic', 'id', 'min'];

describe('nearestName', () => {
  it.each([
    ['requierd', 'required'],
    ['reqired', 'required'],
    ['titel', 'title'],
    ['maxLength', 'max_length'],
    ['MAX-LENGTH', 'max_length'],
    ['minlenght', 'min_length'],
    ['logics', 'logic'],
    ['ID', 'id'],
    ['mni', 'min'],
  ])('takes %s for %s', (name, meant) => expect(nearestName(name, names)).toBe(meant));

  it.each(['theme', 'ix', 'x', '', '_', 'constructor', 'required'.repeat(10)])('finds nothing similar to %j', (name) =>
    expect(nearestName(name, names)).toBeUndefined(),
  );
});
