import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';

it.each([
  ['', 1, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['abcd', 1, '…'],
  ['a😀b', 3, 'a\uFFFD…'],
])('shortens %j to %i characters', (text, maxLength, shortened) => {
  expect(shorten(text, maxLength)).toBe(shortened);
});
